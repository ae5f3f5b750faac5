import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useMemo } from 'react';
import { projectsQuery } from '../projects/queries.ts';
import { SessionContext } from '../session/organization.ts';
import { entryOf } from './entries.ts';
import { type Scrubbed, scrubbedBelow, scrubbedOf } from './scrubbed.ts';
import type { Event, Stacktrace } from './types.ts';

/** What scrubbing changed in something that is drawn, with steps from there. */
export interface MarksOf {
  readonly found: readonly Scrubbed[];
  /** Slug of the project whose rules they are. */
  readonly project: string;
}

/**
 * Of a part of an event, such as a frame, that is drawn without the event: whose it is is looked up among the events that
 * were loaded, by the part itself. So what draws stacks first need not know of marks, nor load anything of them.
 */
export function useMarks(part: object | undefined): MarksOf {
  const queries = useQueryClient();
  const place = useMemo(() => (part ? placeOf(queries, part) : undefined), [queries, part]);
  const found = useMemo(() => {
    if (!place) return [];
    const { _meta: meta } = place.event;
    return scrubbedBelow(scrubbedOf(meta), place.path);
  }, [place]);
  return { found, project: useProjectOf(place?.event) };
}

/** Slug of the project of an event; '' until it is known, and to whom is not signed in. */
export function useProjectOf(event: Pick<Event, 'projectID'> | undefined): string {
  const org = useContext(SessionContext)?.organization.slug;
  const { data: projects } = useQuery({
    ...projectsQuery(org ?? ''),
    enabled: org !== undefined && event !== undefined,
  });
  return projects?.find(({ id }) => id === event?.projectID)?.slug ?? '';
}

interface Place {
  readonly event: Event;
  readonly path: readonly string[];
}

function placeOf(queries: QueryClient, part: object): Place | undefined {
  for (const [, event] of queries.getQueriesData<Event>({ queryKey: ['issues'] })) {
    if (!Array.isArray(event?.entries)) continue;
    const path = pathOf(event, part);
    if (path) return { event, path };
  }
  return undefined;
}

/** Where it is in the event; undefined where it is none of it. */
export function pathOf(event: Pick<Event, 'entries'>, part: object): readonly string[] | undefined {
  const inStack = (stacktrace: Stacktrace | null | undefined, path: readonly string[]) => {
    const index = stacktrace?.frames.findIndex((frame) => frame === part) ?? -1;
    return index < 0 ? undefined : [...path, 'frames', String(index)];
  };
  for (const type of ['exception', 'threads'] as const) {
    for (const [index, value] of (entryOf(event, type)?.values ?? []).entries()) {
      const path = [type, 'values', String(index)];
      if (value === part) return path;
      const found = inStack(value.stacktrace, [...path, 'stacktrace']);
      if (found) return found;
    }
  }
  return inStack(entryOf(event, 'stacktrace'), ['stacktrace']);
}

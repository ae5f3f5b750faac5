import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Completion, DataSet } from '@culprit/search';
import { rangeLabel } from '../filters/range-words.ts';
import { projectsQuery } from '../projects/queries.ts';
import { useOrg } from '../session/organization.ts';
import type { Lookup } from './empty-words.ts';
import type { OptionSources } from './option.ts';
import { fieldsQuery, recentSearchesQuery, savedSearchesQuery, valuesQuery } from './queries.ts';

/** While someone types, values are queried when they pause. */
const pauseMs = 120;

interface Question {
  readonly dataSet: DataSet;
  readonly projectIds: readonly string[] | undefined;
  readonly completion: Completion;
  /** False while nothing is completed. */
  readonly enabled: boolean;
}

/** The sources of completion, from the data of the projects, environment and time that the page is about. */
export function useSources({ dataSet, projectIds, completion, enabled }: Question): {
  readonly sources: OptionSources;
  readonly lookup: Lookup;
} {
  const org = useOrg();
  const filters = useSearch({ from: '/shell' });
  const scope = { org, dataSet, projectIds, filters };
  const type = dataSet === 'issues' ? 'issues' : 'explore';
  const key = completion.kind === 'key' ? undefined : dataKeyOf(completion);
  const prefix = completion.kind === 'value' ? completion.prefix : '';
  const asked = usePaused(prefix, key);
  const fields = useQuery({ ...fieldsQuery(scope), enabled: enabled && completion.kind === 'key' });
  const values = useQuery({ ...valuesQuery(scope, key ?? '', asked), enabled: enabled && key !== undefined });
  const saved = useQuery({ ...savedSearchesQuery(org, type), enabled });
  const recent = useQuery({ ...recentSearchesQuery(org, type), enabled });
  const projects = useQuery({ ...projectsQuery(org), enabled });
  const [now] = useState(() => new Date());
  return {
    sources: {
      fields: fields.data ?? [],
      values: (key !== undefined && values.data) || [],
      projects: projects.data ?? [],
      recent: recent.data?.map(({ query }) => query) ?? [],
      saved: saved.data ?? [],
      rangeWords: rangeLabel(filters),
      now,
    },
    lookup: {
      asked: key !== undefined,
      failed: key === undefined ? fields.isError : values.isError,
      loading: (key !== undefined && values.isPending) || (completion.kind === 'key' && fields.isPending),
    },
  };
}

/** The field whose values the data has; undefined where there are none to query. */
function dataKeyOf({ key }: Completion): string | undefined {
  if (!key || key.place.kind === 'project' || key.place.kind === 'nowhere') return undefined;
  if (!['text', 'version', 'choice', 'integer'].includes(key.type)) return undefined;
  if (key.scope === 'row') return key.name;
  // Of the fields of issues only this one has the values of a field of events.
  return key.place.kind === 'issue' && key.place.field === 'first_release' ? 'release' : undefined;
}

/** The text of a moment ago while it changes; immediately when it is about something else. */
function usePaused(text: string, about: string | undefined): string {
  const [paused, setPaused] = useState({ text, about });
  useEffect(() => {
    const timer = setTimeout(() => setPaused({ text, about }), pauseMs);
    return () => clearTimeout(timer);
  }, [text, about]);
  return paused.about === about ? paused.text : text;
}

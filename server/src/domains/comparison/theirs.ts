/** The events of a project on a server with Sentry's API, and the issues that they are in. Bounded in calls and in bytes. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { type AllowList, callOutside, type Lookup, type OutboundAnswer } from '../../base/outbound/index.ts';
import { comparison as texts } from '../../base/texts/mirror.ts';
import type { Issue } from './groups.ts';
import type { Span } from './ours.ts';

export interface TheirPlace {
  /** Of the API, such as https://sentry.example. */
  readonly url: string;
  readonly token: string;
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TheirProject {
  readonly organization: string;
  readonly project: string;
}

export interface Theirs {
  /** The newest events of their newest issues, by id. */
  newest(span: Span, perIssue: number, maxIssues: number): Promise<Map<string, Issue>>;
  /** Where an event is there; undefined where it is not. */
  find(eventId: string): Promise<Issue | undefined>;
}

const maxAnswerBytes = 8 * 2 ** 20;
const totalMs = 30_000;
const pageSize = 100;
const attempts = 5;
const longestPauseMs = 60_000;

const Named = z.object({ id: z.coerce.string(), slug: z.string() });
const TheirIssue = z.object({
  id: z.coerce.string(),
  shortId: z.string().nullish(),
  title: z.string().nullish(),
  permalink: z.string().nullish(),
});
const TheirEvent = z.object({
  eventID: z.string(),
  groupID: z.coerce.string().nullish(),
  dateCreated: z.string().nullish(),
  title: z.string().nullish(),
});

/** Undefined for 404. Throws REMOTE_API for what is no answer of such an API. */
async function get(place: TheirPlace, path: string): Promise<OutboundAnswer | undefined> {
  const { token, allow, lookup, signal } = place;
  const url = `${place.url}/api/0${path}`;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const call = { method: 'GET', url, headers, body: '', confined: true } as const;
    const answer = await callOutside(call, { allow, lookup, signal, maxAnswerBytes, totalMs }).catch(
      (error: unknown) => {
        throw new CodedError('REMOTE_API', [url, error instanceof Error ? error.message : String(error)], {
          cause: error,
        });
      },
    );
    if (answer.status === 404) return undefined;
    if (answer.status >= 200 && answer.status < 300) return answer;
    const isLater = answer.status === 429 || answer.status >= 500;
    if (!isLater || attempt === attempts) {
      throw new CodedError('REMOTE_API', [url, texts.answered(answer.status, answer.body.slice(0, 200).trim())]);
    }
    const asked = Number(answer.retryAfter);
    await delay(Math.min(longestPauseMs, asked > 0 ? asked * 1000 : 500 * 2 ** attempt), undefined, { signal });
  }
}

function read<T>(schema: z.ZodType<T>, { body }: OutboundAnswer, path: string): T {
  try {
    return schema.parse(JSON.parse(body));
  } catch (error) {
    throw new CodedError('REMOTE_API', [path, texts.notSentry], { cause: error });
  }
}

/** Of all pages, as far as `enough` lets it. */
async function pagesOf<T>(place: TheirPlace, path: string, item: z.ZodType<T>, most: number): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const joint = path.includes('?') ? '&' : '?';
    const answer = await get(
      place,
      cursor === undefined ? path : `${path}${joint}cursor=${encodeURIComponent(cursor)}`,
    );
    if (!answer) break;
    all.push(...read(z.array(item), answer, path));
    cursor = nextCursor(answer.headers?.['link']);
  } while (cursor !== undefined && all.length < most);
  return all.slice(0, most);
}

/** Of a Link header as Sentry writes it. */
function nextCursor(link: string | string[] | undefined): string | undefined {
  const parts = [link ?? []].flat().join(',').split(',');
  const next = parts.find((part) => part.includes('rel="next"'));
  if (!next?.includes('results="true"')) return undefined;
  return /cursor="([^"]{1,200})"/.exec(next)?.[1];
}

/** The project of an id or slug that the token sees; the only one of that. */
export async function findTheirProject(
  place: TheirPlace,
  { project, organization }: { readonly project: string; readonly organization: string | undefined },
): Promise<TheirProject> {
  const organizations = organization
    ? [{ slug: organization }]
    : await pagesOf(place, '/organizations/', Named, pageSize);
  for (const { slug } of organizations) {
    const projects = await pagesOf(place, `/organizations/${encodeURIComponent(slug)}/projects/`, Named, 10 * pageSize);
    const found = projects.find((one) => one.id === project || one.slug === project);
    if (found) return { organization: slug, project: found.slug };
  }
  throw new CodedError('REMOTE_API', [place.url, texts.noProject(project)]);
}

export function readTheirs(place: TheirPlace, { organization, project }: TheirProject): Theirs {
  const ofProject = `/projects/${encodeURIComponent(organization)}/${encodeURIComponent(project)}`;
  const known = new Map<string, Issue>();
  const shown = ({ id, shortId, title, permalink }: z.output<typeof TheirIssue>): Issue => {
    const url = permalink || `${place.url}/organizations/${organization}/issues/${id}/`;
    const issue = { id, shortId: shortId || id, title: title ?? '', url };
    known.set(id, issue);
    return issue;
  };
  const isWithin = ({ dateCreated }: z.output<typeof TheirEvent>, { sinceMs, untilMs }: Span): boolean => {
    const at = Date.parse(dateCreated ?? '');
    return Number.isNaN(at) || (at >= sinceMs && at < untilMs);
  };
  return {
    async newest(span, perIssue, maxIssues) {
      const path = `${ofProject}/issues/?query=&sort=date&limit=${Math.min(pageSize, maxIssues)}`;
      const issues = (await pagesOf(place, path, TheirIssue, maxIssues)).map(shown);
      const found = new Map<string, Issue>();
      const queue = [...issues];
      const worker = async (): Promise<void> => {
        for (let issue = queue.shift(); issue; issue = queue.shift()) {
          const events = await pagesOf(place, `/issues/${issue.id}/events/?limit=${perIssue}`, TheirEvent, perIssue);
          for (const event of events) if (isWithin(event, span)) found.set(plain(event.eventID), issue);
        }
      };
      await Promise.all(Array.from({ length: 3 }, worker));
      return found;
    },
    async find(eventId) {
      const path = `${ofProject}/events/${eventId}/`;
      const answer = await get(place, path);
      if (!answer) return undefined;
      const { groupID, title } = read(TheirEvent, answer, path);
      if (!groupID) return undefined;
      return known.get(groupID) ?? shown({ id: groupID, title });
    },
  };
}

/** Some servers write ids with hyphens. */
const plain = (id: string): string => id.replaceAll('-', '').toLowerCase();

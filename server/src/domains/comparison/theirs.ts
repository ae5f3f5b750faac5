/**
 * The events of a project on another server, and the issues that they are in, read as an import reads them: from Bugsink,
 * or from a server with Sentry's API. Bounded in calls and in bytes.
 */
import { CodedError } from '../../base/errors.ts';
import type { AllowList } from '../../base/outbound/index.ts';
import { comparison as texts } from '../../base/texts/mirror.ts';
import { Absent, Client, findSource, type IssueRecord, type ProjectName, type Source } from '../imports/index.ts';
import type { Issue } from './groups.ts';
import type { Span } from './ours.ts';

export interface TheirPlace {
  /** Of the API, such as https://sentry.example. */
  readonly url: string;
  readonly token: string;
  readonly allow: AllowList;
  readonly signal?: AbortSignal | undefined;
}

export interface TheirProject {
  readonly organization: string;
  /** Slug. */
  readonly project: string;
}

export interface Theirs {
  readonly place: TheirProject;
  /** The newest events of their newest issues, by id. */
  newest(span: Span, perIssue: number, maxIssues: number): Promise<Map<string, Issue>>;
  /** Where an event is there; undefined where it is not. */
  find(eventId: string): Promise<Issue | undefined>;
}

const patienceMs = 60_000;
const requestsAtOnce = 3;

/** The project of an id or slug that the token sees, in an organisation or in any. Throws REMOTE_API. */
export async function openTheirs(
  { url, token, allow, signal = new AbortController().signal }: TheirPlace,
  asked: { readonly project: string; readonly organization: string | undefined },
): Promise<Theirs> {
  const stop = (why: string, cause?: unknown): CodedError => new CodedError('REMOTE_API', [url, why], { cause });
  const words = { stop, private: (reason: string) => reason, limited: texts.limited };
  const client = new Client({ url, tracker: texts.other, token, allow, signal, words, patienceMs });
  const source = await findSource(client, url);
  const found = await findProject(source, asked);
  if (!found) throw stop(texts.noProject(asked.project));
  return readTheirs(source, found.organization, found.project, url);
}

async function findProject(
  source: Source,
  { project, organization }: { readonly project: string; readonly organization: string | undefined },
): Promise<{ readonly organization: string; readonly project: ProjectName } | undefined> {
  const organizations: string[] = organization === undefined ? [] : [organization];
  if (organization === undefined) for await (const { slug } of source.organizations()) organizations.push(slug);
  for (const one of organizations) {
    for await (const name of source.projectNames(one)) {
      if (name.id === project || name.slug === project) return { organization: one, project: name };
    }
  }
  return undefined;
}

function readTheirs(source: Source, organization: string, project: ProjectName, url: string): Theirs {
  const known = new Map<string, Issue>();
  const shown = ({ id, shortId, title, url: page }: Pick<IssueRecord, 'id' | 'shortId' | 'title' | 'url'>): Issue => {
    const fallback = `${url}/organizations/${organization}/issues/${id}/`;
    const issue = { id, shortId: shortId || id, title, url: page || fallback };
    known.set(id, issue);
    return issue;
  };
  const eventsOf = async (issue: Issue, { sinceMs, untilMs }: Span, most: number): Promise<string[]> => {
    const ids: string[] = [];
    let seen = 0;
    try {
      for await (const { id, at } of source.events(organization, project, issue)) {
        if (id !== '' && at >= sinceMs && at < untilMs) ids.push(id);
        if ((seen += 1) >= most) break;
      }
    } catch (error) {
      // It was deleted or merged meanwhile.
      if (!(error instanceof Absent) || error.status !== 404) throw error;
    }
    return ids;
  };
  return {
    place: { organization, project: project.slug },
    async newest(span, perIssue, maxIssues) {
      const issues: Issue[] = [];
      for await (const issue of source.newestIssues(organization, project)) {
        issues.push(shown(issue));
        if (issues.length >= maxIssues) break;
      }
      const found = new Map<string, Issue>();
      const queue = [...issues];
      const worker = async (): Promise<void> => {
        for (let issue = queue.shift(); issue; issue = queue.shift()) {
          for (const id of await eventsOf(issue, span, perIssue)) found.set(id, issue);
        }
      };
      await Promise.all(Array.from({ length: requestsAtOnce }, worker));
      return found;
    },
    async find(eventId) {
      const id = await source.issueOfEvent(organization, project, eventId);
      if (id === undefined) return undefined;
      return known.get(id) ?? shown((await source.issue(id)) ?? { id, shortId: '', title: '', url: '' });
    },
  };
}

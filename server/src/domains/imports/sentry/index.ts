/** Sentry, and what speaks its API: GlitchTip and Urgentry, which have less of it and no raw events. */
import { parseDsn, parseEventId } from '@culprit/envelope';
import type { z } from 'zod';
import { fields, trackerNames } from '../../../base/texts/imports.ts';
import { type Client, orAbsent } from '../client.ts';
import type { MemberRecord, ProjectRecord, ReleaseRecord, Tracker } from '../records.ts';
import { none, type Source } from '../source.ts';
import { fromEntries } from './entries.ts';
import { toIssue } from './issue.ts';
import { ofAlert, ofRule } from './rules.ts';
import * as shapes from './shapes.ts';

const root = '/api/0';

/** What a token needs, in the words of the tracker. */
interface Scopes {
  readonly org: string;
  readonly member: string;
  readonly project: string;
  readonly key: string;
  readonly release: string;
  readonly alert: string;
  readonly issue: string;
  readonly event: string;
}

interface Dialect {
  /** Whether it gives events as they were sent. */
  readonly hasRaw: boolean;
  readonly rules: 'rules' | 'alerts';
  readonly lacks: Source['lacks'];
  readonly scopes: Scopes;
}

const sentryScopes: Scopes = {
  org: 'org:read',
  member: 'member:read',
  project: 'project:read',
  key: 'project:read',
  release: 'org:read',
  alert: 'alerts:read',
  issue: 'event:read',
  event: 'event:read',
};

const ofSentry: Dialect = { hasRaw: true, rules: 'rules', lacks: [], scopes: sentryScopes };

const dialects: Readonly<Record<Exclude<Tracker, 'bugsink'>, Dialect>> = {
  sentry: ofSentry,
  glitchtip: {
    scopes: sentryScopes,
    hasRaw: false,
    rules: 'alerts',
    lacks: [
      { kind: 'search', field: '' },
      { kind: 'issue', field: fields.statusTime },
    ],
  },
  urgentry: {
    ...ofSentry,
    hasRaw: false,
    lacks: [{ kind: 'search', field: '' }],
    scopes: {
      ...sentryScopes,
      member: 'org:members:read',
      key: 'project:keys:read',
      release: 'release:read',
      alert: 'alert:read',
      issue: 'issue:read',
    },
  },
};

const part = (text: string): string => encodeURIComponent(text);

export function createSentry(client: Client, tracker: Exclude<Tracker, 'bugsink'>): Source {
  const { hasRaw, rules, lacks, scopes } = dialects[tracker];

  async function* list<T>(path: string, one: z.ZodType<T>, scope: string, optional = true): AsyncIterable<T> {
    const page = one.array().max(1_000);
    const joint = path.includes('?') ? '&' : '?';
    let cursor: string | undefined;
    do {
      const from: string = cursor === undefined ? '' : `${joint}cursor=${part(cursor)}`;
      const { data, header } = await client.get(`${root}${path}${from}`, page, { scope, optional });
      yield* data;
      const next = nextCursor(header('link'));
      cursor = next === cursor ? undefined : next;
    } while (cursor !== undefined);
  }

  return {
    lacks,
    async *organizations() {
      yield* list('/organizations/', shapes.Organization, scopes.org, false);
    },
    teams: (org) => list(`/organizations/${part(org)}/teams/`, shapes.Team, scopes.org),
    async *members(org) {
      for await (const member of list(`/organizations/${part(org)}/members/`, shapes.Member, scopes.member)) {
        const { email, role, orgRole, teams } = member;
        if (email.includes('@')) yield { email, role: roleOf(orgRole || role), teams: teams ?? [] };
      }
    },
    async *projects(org) {
      const path = `/organizations/${part(org)}/projects/`;
      for await (const { id, slug, name, platform, teams } of list(path, shapes.Project, scopes.project, false)) {
        const keys: ProjectRecord['keys'][number][] = [];
        const keysPath = `/projects/${part(org)}/${part(slug)}/keys/`;
        for await (const key of list(keysPath, shapes.Key, scopes.key, false)) {
          const publicKey = parseDsn(key.dsn?.public)?.publicKey ?? key.public;
          const label = key.label || key.name || trackerNames[tracker];
          keys.push({ publicKey, label, isActive: key.isActive ?? true });
        }
        const slugs = (teams ?? []).map((team) => team.slug);
        yield { id, slug, name: name || slug, platform, teams: slugs, keys };
      }
    },
    async *projectNames(org) {
      yield* list(`/organizations/${part(org)}/projects/`, shapes.Project, scopes.project, false);
    },
    async *releases(org, { id, slug }) {
      const path = `/organizations/${part(org)}/releases/`;
      for await (const release of list(`${path}?project=${part(id)}`, shapes.Release, scopes.release)) {
        const { version, projects } = release;
        if (version === '' || (projects && !projects.some((project) => project.slug === slug))) continue;
        const own = `${path}${part(version)}`;
        const commits: ReleaseRecord['commits'][number][] = [];
        const deploys: ReleaseRecord['deploys'][number][] = [];
        if (release.commitCount) {
          for await (const commit of list(`${own}/commits/`, shapes.Commit, scopes.release))
            commits.push(toCommit(commit));
        }
        if (release.deployCount) {
          for await (const deploy of list(`${own}/deploys/`, shapes.Deploy, scopes.release)) {
            const { dateFinished } = deploy;
            if (dateFinished !== null) deploys.push({ ...deploy, dateFinished });
          }
        }
        const { dateReleased, dateCreated, url, ref } = release;
        yield {
          version,
          commits,
          deploys,
          // Which release comes before which goes by this.
          dateReleased: dateReleased ?? dateCreated,
          url: url || null,
          ref: ref || null,
        };
      }
    },
    async *rules(org, { slug }) {
      const path = `/projects/${part(org)}/${part(slug)}/${rules}/`;
      if (rules === 'alerts')
        for await (const one of list(path, shapes.ProjectAlert, scopes.project)) yield ofAlert(one);
      else for await (const one of list(path, shapes.Rule, scopes.alert)) yield ofRule(one);
    },
    async *metricRules(org) {
      if (tracker !== 'sentry') return;
      const path = `/organizations/${part(org)}/alert-rules/`;
      for await (const { name } of list(path, shapes.MetricRule, scopes.alert)) yield name;
    },
    searches: lacks.some(({ kind }) => kind === 'search')
      ? none
      : async function* searches(org) {
          for await (const search of list(`/organizations/${part(org)}/searches/`, shapes.Search, scopes.org)) {
            // Those that the tracker brings itself are nobody's.
            if (search.isGlobal || search.query === '') continue;
            const { id, type, name, query, visibility } = search;
            if (typeof type === 'string' && type !== 'issues') continue;
            yield { id, name: name || query, query, isShared: visibility === 'organization' };
          }
        },
    async *issues(org, { slug }) {
      const path = `/projects/${part(org)}/${part(slug)}/issues/?query=&statsPeriod=&limit=100`;
      for await (const issue of list(path, shapes.Issue, scopes.issue, false)) yield toIssue(issue);
    },
    async *newestIssues(org, { slug }) {
      const path = `/projects/${part(org)}/${part(slug)}/issues/?query=&statsPeriod=&sort=date&limit=100`;
      for await (const issue of list(path, shapes.Issue, scopes.issue, false)) yield toIssue(issue);
    },
    async issue(id) {
      const path = `${root}/issues/${part(id)}/`;
      const found = await orAbsent(client.get(path, shapes.Issue, { scope: scopes.issue, optional: true }));
      return found && toIssue(found.data);
    },
    async issueOfEvent(org, { slug }, eventId) {
      const path = `${root}/projects/${part(org)}/${part(slug)}/events/${part(eventId)}/`;
      const found = await orAbsent(client.get(path, shapes.EventIssue, { scope: scopes.event, optional: true }));
      return found?.data.groupID || undefined;
    },
    async history(_org, { id }) {
      const comments = [];
      for await (const comment of list(`/issues/${part(id)}/comments/`, shapes.Comment, scopes.issue)) {
        const text = comment.data?.text || comment.text;
        const { name = '', email = '', username = '' } = comment.user ?? {};
        const author = { name: name || username || email, email };
        if (text !== '') comments.push({ id: comment.id, text, at: comment.dateCreated, author });
      }
      return { comments };
    },
    async *events(org, { slug }, { id }) {
      const path = `/projects/${part(org)}/${part(slug)}/events`;
      const ask = { scope: scopes.event, optional: true };
      for await (const event of list(`/issues/${part(id)}/events/`, shapes.Event, scopes.event)) {
        const eventId = parseEventId(event.eventID || event.eventId || event.id) ?? '';
        yield {
          id: eventId,
          at: event.dateCreated,
          async load() {
            const own = `${root}${path}/${part(eventId)}/${hasRaw ? 'json/' : ''}`;
            const { data } = await client.get(own, shapes.Payload, ask);
            return hasRaw ? data : fromEntries(data);
          },
        };
      }
    },
  };
}

/** Of a `Link` header: `<…>; rel="next"; results="true"; cursor="0:100:0"`. */
export function nextCursor(link: string | undefined): string | undefined {
  for (const entry of (link ?? '').slice(0, 8_192).split(',')) {
    if (!entry.includes('rel="next"') || entry.includes('results="false"')) continue;
    const named = /cursor="([^"]{1,500})"/.exec(entry)?.[1];
    const address = /<([^>]{1,4000})>/.exec(entry)?.[1];
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
    return named ?? url?.searchParams.get('cursor') ?? undefined;
  }
  return undefined;
}

/** There a manager is of the whole organisation, and an admin of their teams. */
function roleOf(role: string): MemberRecord['role'] {
  if (role === 'owner') return 'owner';
  if (role === 'manager') return 'admin';
  return role === 'admin' ? 'manager' : 'member';
}

const toCommit = (commit: z.output<typeof shapes.Commit>): ReleaseRecord['commits'][number] => ({
  id: commit.id,
  repository: commit.repository?.name ?? '',
  message: commit.message,
  authorName: commit.author?.name ?? '',
  authorEmail: commit.author?.email ?? '',
  committedAt: commit.dateCreated ?? 0,
  files: [],
});

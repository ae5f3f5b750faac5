/** Bugsink: one organisation for all teams, no members in its API, and rules that are three switches of a project. */
import { parseDsn, parseEventId } from '@culprit/envelope';
import type { z } from 'zod';
import { fields, ruleName, trackerNames } from '../../../base/texts/imports.ts';
import type { Condition } from '../../alerts/index.ts';
import { type Client, orAbsent } from '../client.ts';
import type { IssueRecord, StatusRecord } from '../records.ts';
import { none, type Source } from '../source.ts';
import * as shapes from './shapes.ts';

const root = '/api/canonical/0';
/** Answered by Bugsink, and nobody else. */
export const bugsinkPath = `${root}/projects/`;

const minutesOf: Readonly<Record<string, number>> = {
  minute: 1,
  hour: 60,
  day: 1_440,
  week: 10_080,
  month: 43_200,
  year: 525_600,
};

type Project = z.output<typeof shapes.Project>;
type Issue = z.output<typeof shapes.Issue>;

export function createBugsink(client: Client, url: string): Source {
  const rulesOf = new Map<string, Condition[]>();
  const teams = new Map<string, string>();

  /** Its `next` is an address that may name another host: only the cursor is taken from it. */
  async function* list<T>(path: string, one: z.ZodType<T>, scope: string, optional = false): AsyncIterable<T> {
    const page = shapes.pageOf(one);
    const joint = path.includes('?') ? '&' : '?';
    let cursor: string | undefined;
    do {
      const from: string = cursor === undefined ? '' : `${joint}cursor=${encodeURIComponent(cursor)}`;
      const { data } = await client.get(`${root}/${path}${from}`, page, { scope, optional });
      yield* data.results;
      cursor = cursorOf(data.next, cursor);
    } while (cursor !== undefined);
  }

  return {
    lacks: [
      { kind: 'member', field: '' },
      { kind: 'search', field: '' },
      { kind: 'issue', field: fields.assignee },
      { kind: 'release', field: fields.commits },
    ],
    async *organizations() {
      yield { slug: 'bugsink', name: trackerNames.bugsink };
    },
    async *teams() {
      for await (const team of list('teams/', shapes.Team, 'teams:read', true)) {
        const slug = teamSlug(team.name);
        teams.set(team.id, slug);
        yield { slug, name: team.name };
      }
    },
    members: none,
    async *projects() {
      for await (const project of list('projects/', shapes.Project, 'projects:read')) {
        rulesOf.set(project.id, conditionsOf(project));
        const dsn = parseDsn(project.dsn);
        const team = project.team ? teams.get(project.team) : undefined;
        yield {
          id: project.id,
          slug: project.slug,
          name: project.name,
          platform: '',
          teams: team === undefined ? [] : [team],
          keys: dsn ? [{ publicKey: dsn.publicKey, label: trackerNames.bugsink, isActive: true }] : [],
        };
      }
    },
    async *projectNames() {
      yield* list('projects/', shapes.Project, 'projects:read');
    },
    async *releases(_org, { id }) {
      const path = `releases/?project=${encodeURIComponent(id)}`;
      for await (const { version, date_released: dateReleased } of list(path, shapes.Release, 'releases:read', true)) {
        if (version !== '') yield { version, dateReleased, url: null, ref: null, commits: [], deploys: [] };
      }
    },
    async *rules(_org, { id, slug }) {
      const conditions = rulesOf.get(id) ?? [];
      if (!conditions.length) return;
      const name = ruleName(slug);
      yield { id, name, match: 'any', conditions, environment: '', throttleMinutes: 0, lost: [] };
    },
    metricRules: none,
    searches: none,
    async *issues(_org, { id }) {
      for await (const issue of list(`issues/?project=${encodeURIComponent(id)}`, shapes.Issue, 'issues:read')) {
        yield toIssue(issue, url);
      }
    },
    async *newestIssues(_org, { id }) {
      const path = `issues/?project=${encodeURIComponent(id)}&sort=last_seen&order=desc`;
      for await (const issue of list(path, shapes.Issue, 'issues:read')) yield toIssue(issue, url);
    },
    async issue(id) {
      const path = `${root}/issues/${encodeURIComponent(id)}/`;
      const found = await orAbsent(client.get(path, shapes.Issue, { scope: 'issues:read', optional: true }));
      return found && toIssue(found.data, url);
    },
    async issueOfEvent(_org, { id }, eventId) {
      const path = `${root}/events/lookup/?project=${encodeURIComponent(id)}&event_id=${encodeURIComponent(eventId)}`;
      const found = await orAbsent(client.get(path, shapes.EventIssue, { scope: 'events:read', optional: true }));
      return found?.data.issue;
    },
    async history(_org, { id }) {
      const comments = [];
      let statusAt: number | undefined;
      const path = `issue-history/?issue=${encodeURIComponent(id)}`;
      // The newest first.
      for await (const point of list(path, shapes.TurningPoint, 'issues:read', true)) {
        if (point.kind === 'resolved' || point.kind === 'muted') statusAt ??= point.timestamp;
        if (point.comment === '') continue;
        const author = { name: point.user_display_name, email: '' };
        comments.push({ id: point.id, text: point.comment, at: point.timestamp, author });
      }
      return { comments, statusAt };
    },
    async *events(_org, _project, { id }) {
      const scope = 'events:read';
      for await (const event of list(`events/?issue=${encodeURIComponent(id)}`, shapes.Event, scope, true)) {
        const path = `${root}/events/${encodeURIComponent(event.id)}/`;
        yield {
          id: parseEventId(event.event_id) ?? '',
          at: event.timestamp,
          load: async () => (await client.get(path, shapes.EventDetail, { scope, optional: true })).data.data,
        };
      }
    },
  };
}

function cursorOf(next: string | null | undefined, before: string | undefined): string | undefined {
  if (!next || !URL.canParse(next, 'http://host/')) return undefined;
  const cursor = new URL(next, 'http://host/').searchParams.get('cursor') ?? undefined;
  // One that stays the same would never come to an end.
  return cursor === before ? undefined : cursor;
}

const teamSlug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function conditionsOf(project: Project): Condition[] {
  const conditions: Condition[] = [];
  if (project.alert_on_new_issue) conditions.push({ type: 'new_issue' });
  if (project.alert_on_regression) conditions.push({ type: 'regression' });
  if (project.alert_on_unmute) conditions.push({ type: 'unarchived' });
  return conditions;
}

const toIssue = (issue: Issue, url: string): IssueRecord => ({
  id: issue.id,
  shortId: issue.friendly_id,
  title: [issue.calculated_type, issue.calculated_value].filter(Boolean).join(': '),
  url: `${url}/issues/issue/${encodeURIComponent(issue.id)}/event/last/`,
  status: statusOf(issue),
  statusAt: null,
  assignee: null,
  firstSeen: issue.first_seen,
  lastSeen: issue.last_seen,
  count: issue.digested_event_count,
  userCount: null,
});

function statusOf(issue: Issue): StatusRecord {
  if (issue.is_resolved) {
    if (issue.is_resolved_by_next_release) return { state: 'in_next_release' };
    const release = issue.fixed_at?.findLast((version) => version !== '');
    return issue.is_resolved_unconditionally || release === undefined
      ? { state: 'resolved' }
      : { state: 'in_release', release };
  }
  if (!issue.is_muted) return { state: 'unresolved' };
  if (issue.unmute_after !== null) return { state: 'archived_until_condition_met', until: issue.unmute_after };
  const volume = issue.unmute_on_volume_based_conditions?.[0];
  if (!volume) return { state: 'archived_forever' };
  const minutes = (minutesOf[volume.period] ?? 0) * volume.nr_of_periods;
  return { state: 'archived_until_condition_met', events: volume.volume, minutes: minutes || undefined };
}

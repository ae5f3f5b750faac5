/** Each term about issues means the same to the state store and to an issue in memory. */
import { parseSearch } from '@culprit/search';
import { expect, test } from 'vitest';
import type { IssueStatus } from '../../../ports/state/schema.ts';
import type { State } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { addTestProject } from '../testing/projects.ts';
import type { IssueRow, VisibleProject } from '../types.ts';
import { issueTest } from './issue-terms.ts';
import { toIssueRow } from '../rows.ts';
import { isTerm } from './tree.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const day = 86_400_000;

const cases: [
  name: string,
  status: IssueStatus,
  substatus: string | null,
  level: string,
  type: string,
  age: number,
  release: string | null,
  project?: number,
][] = [
  ['new', 'unresolved', 'new', 'error', 'error', 0.5, 'web@2.0.0'],
  ['ongoing', 'unresolved', 'ongoing', 'warning', 'error', 9, 'web@1.0.0'],
  ['regressed', 'unresolved', 'regressed', 'fatal', 'default', 9, 'Web@1_0'],
  ['resolved', 'resolved', null, 'info', 'error', 3, null],
  ['archived', 'archived', null, 'error', 'csp', 30, 'a*b'],
  ['until', 'archived', 'archived_until_escalating', 'error', 'error', 30, null],
  ['slow', 'unresolved', 'escalating', 'info', 'performance_slow_db_query', 3, null, 1],
];

async function fill(state: State): Promise<{ projects: VisibleProject[]; issues: IssueRow[] }> {
  const projects: VisibleProject[] = [];
  const issues: IssueRow[] = [];
  await state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true, image: null };
  await state.db
    .insertInto('user')
    .values({ ...ada, createdAt: new Date(), updatedAt: new Date() })
    .execute();
  for (const slug of ['web', 'api']) {
    projects.push(await addTestProject(state, slug));
  }
  for (const [index, [title, status, substatus, level, type, age, release, project = 0]] of cases.entries()) {
    const row = await state.db
      .insertInto('issue')
      .values({
        project_id: projects[project]?.id ?? 0,
        number: index + 1,
        status,
        substatus,
        level,
        title,
        culprit: '',
        platform: '',
        type,
        metadata: '{}',
        first_seen: now - age * day,
        last_seen: now - (age / 2) * day,
        first_release: release,
        last_release: release,
        status_changed_at: null,
        created_at: now,
        ...(title === 'ongoing' && { assignee_user_id: 'ada' }),
        ...(title === 'slow' && { assignee_team_id: 7 }),
        ...(title === 'until' && { priority: 'low' as const, priority_locked: 1 }),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    issues.push(toIssueRow(row));
  }
  return { projects, issues };
}

const terms: readonly (readonly [query: string, found: string])[] = [
  ['is:unresolved', 'new ongoing regressed slow'],
  ['!is:unresolved', 'resolved archived until'],
  ['is:ignored', 'archived until'],
  ['is:new', 'new'],
  ['is:for_review', 'new regressed slow'],
  ['!is:for_review', 'ongoing resolved archived until'],
  ['is:escalating', 'slow'],
  ['is:archived_until_escalating', 'until'],
  ['is:archived_until_condition_met', ''],
  ['is:archived_forever', 'archived'],
  ['!is:archived_forever', 'new ongoing regressed resolved until slow'],
  ['is:assigned', 'ongoing slow'],
  ['!is:assigned', 'new regressed resolved archived until'],
  ['is:unassigned', 'new regressed resolved archived until'],
  ['is:linked', ''],
  ['assigned:none', 'new regressed resolved archived until'],
  // Names are looked up before: these are what they become.
  ['assigned:[user:ada, none]', 'new ongoing regressed resolved archived until'],
  ['assigned:[user:ada, team:7]', 'ongoing slow'],
  ['!assigned:[team:7]', 'new ongoing regressed resolved archived until'],
  ['assigned:[team:x, user:nobody]', ''],
  ['assigned:me', ''],
  ['!bookmarks:me', 'new ongoing regressed resolved archived until slow'],
  ['age:-24h', 'new'],
  ['firstSeen:+7d', 'ongoing regressed archived until'],
  ['!lastSeen:-2d', 'ongoing regressed archived until'],
  ['firstSeen:2026-11-18', 'resolved slow'],
  ['firstSeen:>=2026-11-18T12:00:00', 'new resolved slow'],
  ['firstRelease:web@1.0.0', 'ongoing'],
  ['firstRelease:web@*', 'new ongoing'],
  ['firstRelease:*_0', 'regressed'],
  ['firstRelease:"a\\*b"', 'archived'],
  ['firstRelease:[web@1.0.0, web@2.0.0]', 'new ongoing'],
  ['!firstRelease:web@*', 'regressed resolved archived until slow'],
  ['firstRelease:""', 'resolved until slow'],
  ['firstRelease:*', 'new ongoing regressed archived'],
  ['has:firstRelease', 'new ongoing regressed archived'],
  ['!has:firstRelease', 'resolved until slow'],
  ['has:assigned', 'ongoing slow'],
  ['!has:assigned', 'new regressed resolved archived until'],
  ['issue:API-7', 'slow'],
  ['issue:[web-1, WEB-2]', 'new ongoing'],
  ['!issue:nothing', 'new ongoing regressed resolved archived until slow'],
  ['issue.id:>1.5 ', 'ongoing regressed resolved archived until slow'],
  ['!issue.id:1.5', 'new ongoing regressed resolved archived until slow'],
  ['issue.id:[1, 2.5, 99b, -9b]', 'new'],
  ['issue.id:99b', ''],
  ['issue.id:<=999999999999999b', 'new ongoing regressed resolved archived until slow'],
  ['issue.id:<-999999999999999b', ''],
  ['issue:WEB-999999999', ''],
  ['age:-999999w', 'new ongoing regressed resolved archived until slow'],
  ['firstRelease:"a\0b"', ''],
  ['firstRelease:"\\*\0*"', ''],
  ['issue.type:csp', 'archived'],
  ['issue.type:performance_*', 'slow'],
  ['issue.category:performance', 'slow'],
  ['!issue.category:performance', 'new ongoing regressed resolved archived until'],
  ['issue.category:nothing', ''],
  ['issue.priority:high', 'new regressed archived'],
  ['issue.priority:[medium, low]', 'ongoing resolved until slow'],
  ['!issue.priority:low', 'new ongoing regressed archived'],
  ['issue.priority:none', ''],
  ['project:api', 'slow'],
  ['!project:w*', 'slow'],
  ['project:[web, api]', 'new ongoing regressed resolved archived until slow'],
];

onEachDatabase('terms about issues', (databases) => {
  test('find the same issues in the state store and in memory', async () => {
    const state = await databases.migrated();
    const { projects, issues } = await fill(state);
    for (const [query, expected] of terms) {
      const { root, problems } = parseSearch(query, 'issues');
      expect(problems).toEqual([]);
      if (!root || !isTerm(root)) throw new Error(`${query} is one term`);
      const { condition, passes } = issueTest(root, { projects, nowMs: now });
      const found = await state.db
        .selectFrom('issue')
        .select('title')
        .where((eb) => (condition ? condition(eb) : eb.lit(false)))
        .orderBy('number')
        .execute();
      expect([query, found.map((row) => row.title).join(' ')]).toEqual([query, expected]);
      const passing = issues.filter((issue) => passes(issue, undefined));
      expect([query, passing.map((issue) => issue.title).join(' ')]).toEqual([query, expected]);
    }
  });
});

const anyIssue: IssueRow = {
  id: 1,
  projectId: 1,
  number: 1,
  status: 'unresolved',
  substatus: null,
  level: 'error',
  title: '',
  culprit: '',
  platform: '',
  type: 'error',
  metadata: {},
  firstSeen: now,
  lastSeen: now,
  firstRelease: null,
  lastRelease: null,
  statusChangedAt: null,
  statusDetails: {},
  assigneeUserId: null,
  assigneeTeamId: null,
  priority: 'high',
};

test.each([
  ['timesSeen:>10', true],
  ['timesSeen:20', true],
  ['!timesSeen:20', false],
  ['timesSeen:[1, 2]', false],
  ['userCount:<=3', true],
  ['users_seen:>3', false],
])('%s of 20 events and 3 users', (query, expected) => {
  const { root } = parseSearch(query, 'issues');
  if (!root || !isTerm(root)) throw new Error('one term');
  const { condition, passes } = issueTest(root, { projects: [], nowMs: now });
  expect(condition).toBeUndefined();
  expect(passes(anyIssue, { count: 20, userCount: 3 })).toBe(expected);
});

import { parseSearch } from '@culprit/search';
import { expect, test } from 'vitest';
import type { IssueRow, VisibleProject } from '../types.ts';
import { planSearch } from './state-filter.ts';
import { isTerm, type Reduced } from './tree.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const projects: VisibleProject[] = [
  { id: 1, slug: 'web', name: 'Web', platform: '', shortIdPrefix: 'WEB' },
  { id: 2, slug: 'api', name: 'API', platform: '', shortIdPrefix: 'API' },
];

function plan(query: string) {
  const { root, problems } = parseSearch(query, 'issues');
  expect(problems).toEqual([]);
  return planSearch(root, projects, now);
}

/** As one would write it. */
function shown(node: Reduced | undefined): string {
  if (node === undefined || typeof node === 'boolean') return String(node ?? 'everything');
  if (!isTerm(node)) return `(${node.nodes.map(shown).join(` ${node.kind} `)})`;
  if (node.kind === 'text') return node.text;
  return `${node.negated ? '!' : ''}${node.kind === 'has' ? 'has:' : ''}${node.name}${node.kind === 'filter' && node.value.type === 'text' ? `:${node.value.text}` : ''}`;
}

const issue: IssueRow = {
  id: 7,
  projectId: 1,
  number: 1,
  status: 'resolved',
  substatus: null,
  level: 'error',
  title: '',
  culprit: '',
  platform: '',
  type: 'error',
  metadata: {},
  firstSeen: now - 86_400_000,
  lastSeen: now,
  firstRelease: 'web@1',
  lastRelease: null,
  statusChangedAt: null,
  statusDetails: {},
  assigneeUserId: null,
  assigneeTeamId: null,
  priority: 'high',
};

test('what issues decide stays with the state store, what events decide goes to theirs', () => {
  const { filter, rows, mixed } = plan('is:unresolved project:web age:-7d level:error pay');
  expect(filter).toMatchObject({ statuses: ['unresolved'], projects: [{ slug: 'web' }], narrow: true });
  expect(filter.conditions).toHaveLength(1);
  expect(shown(rows)).toBe('(level:error and pay)');
  expect(mixed).toBeUndefined();
});

test('alternatives about issues alone are one condition, or a test where counts decide', () => {
  const { filter, rows, mixed } = plan('(is:resolved OR age:-1h) (timesSeen:>5 OR is:archived)');
  expect(filter.conditions).toHaveLength(1);
  expect(filter.counts).toHaveLength(1);
  expect([rows, mixed]).toEqual([undefined, undefined]);
});

test.each([
  ['is:resolved OR level:fatal', 'everything', 'everything'],
  ['is:archived OR level:fatal', 'everything', 'level:fatal'],
  ['(is:resolved a) OR (is:unresolved b)', '(a or b)', 'a'],
  ['c ((is:resolved a) OR (is:unresolved b))', '(c and (a or b))', '(c and a)'],
  ['c (is:resolved OR b)', 'c', 'c'],
  ['(is:archived a) OR (is:unresolved b)', '(a or b)', 'false'],
  ['(timesSeen:>10 a) OR b', '(a or b)', '(a or b)'],
  ['(timesSeen:>100 a) OR b', '(a or b)', 'b'],
  ['!project:web OR a', 'everything', 'a'],
])('%s', (query, ofAny, ofThis) => {
  const { rows, mixed } = plan(query);
  expect(shown(rows)).toBe(ofAny);
  const left = mixed?.rowsFor(issue, { count: 20, userCount: 1 });
  expect(shown(left === true ? undefined : left)).toBe(ofThis);
});

test('a mixed tree says of issues what its events cannot change', () => {
  const { filter, mixed } = plan('(is:resolved a) OR (is:archived b)');
  expect(filter.conditions).toHaveLength(1);
  expect(mixed?.needsLife).toBe(false);
  expect(plan('is:resolved OR b').filter.conditions).toHaveLength(0);
});

test('words that ask for nothing ask for nothing', () => {
  expect(plan('""')).toMatchObject({ rows: undefined, mixed: undefined });
});

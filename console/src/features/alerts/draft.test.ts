import { describe, expect, test } from 'vitest';
import { conditionOf, draftOf, newDraft, problemsOf, requestOf, withThreshold, type RuleDraft } from './draft.ts';
import type { AlertRuleRequest } from './queries.ts';

const named = (draft: Partial<RuleDraft>): RuleDraft => ({ ...newDraft('issue'), name: 'Rule', ...draft });

describe('what is kept comes back as it was', () => {
  const shared = {
    name: 'Checkout',
    enabled: false,
    projectIds: ['1', '2'],
    environment: 'production',
    query: 'transaction:/pay',
    throttleMinutes: 60,
    digestMinutes: 0,
    channelIds: ['7'],
    owner: 'team:3',
  };
  test.each<AlertRuleRequest>([
    {
      kind: 'issue',
      ...shared,
      match: 'all',
      conditions: [
        { type: 'new_issue' },
        { type: 'event_frequency', count: 100, minutes: 5 },
        { type: 'session_share', percent: 2.5, minutes: 60 },
        { type: 'watched_digest', digest: null },
        { type: 'watched_digest', digest: '1930860604' },
      ],
    },
    {
      kind: 'metric',
      ...shared,
      metric: {
        dataset: 'spans',
        aggregate: 'p95(span.duration)',
        minutes: 15,
        comparison: { type: 'change', against: 'day' },
        direction: 'both',
        warning: 20,
        critical: null,
        resolve: 5.5,
        noData: 'alert',
      },
    },
    {
      kind: 'metric',
      ...shared,
      metric: {
        dataset: 'errors',
        aggregate: 'count()',
        minutes: 60,
        comparison: { type: 'anomaly', sensitivity: 'high' },
        direction: 'above',
        warning: null,
        critical: null,
        resolve: null,
        noData: 'ok',
      },
    },
  ])('$kind', (rule) => expect(requestOf(draftOf(rule))).toEqual(rule));
});

describe('what is wrong is shown at its field', () => {
  test.each<[string, RuleDraft, Record<string, unknown>]>([
    ['nothing', named({}), {}],
    ['no name', named({ name: ' ' }), { name: expect.stringContaining('name') }],
    ['no condition', named({ conditions: [] }), { conditions: expect.stringContaining('Add a condition') }],
    [
      'half a number',
      named({ conditions: [{ ...conditionOf('event_frequency', 1), count: '1.5' }] }),
      { 'conditions.0': expect.stringContaining('whole number') },
    ],
    [
      'letters in a digest',
      named({ conditions: [{ ...conditionOf('watched_digest', 1), digest: 'abc' }] }),
      { 'conditions.0': expect.stringContaining('digits') },
    ],
    [
      'no threshold',
      { ...newDraft('metric'), name: 'x', metric: { ...newDraft('metric').metric, critical: '' } },
      { critical: expect.stringContaining('threshold') },
    ],
    [
      'an anomaly needs none',
      {
        ...newDraft('metric'),
        name: 'x',
        metric: { ...newDraft('metric').metric, critical: '', comparison: 'anomaly' },
      },
      {},
    ],
    [
      'no number',
      { ...newDraft('metric'), name: 'x', metric: { ...newDraft('metric').metric, warning: 'many' } },
      { warning: 'Enter a number or leave empty.' },
    ],
  ])('%s', (_, draft, problems) => expect(problemsOf(draft)).toEqual(problems));
});

test('a proposed threshold takes the place of what is measured', () => {
  const issue = named({
    conditions: [conditionOf('new_issue', 1), conditionOf('event_frequency', 2), conditionOf('user_frequency', 3)],
  });
  expect(withThreshold(issue, 340).conditions.map(({ count }) => count)).toEqual(['100', '340', '50']);
  const metric = { ...newDraft('metric'), metric: { ...newDraft('metric').metric, warning: '5' } };
  expect(withThreshold(metric, 99).metric).toMatchObject({ warning: '', critical: '99' });
});

import { expect, test } from 'vitest';
import { addTally, arrivedSpans, maxTraceIds, type SpanTally, tallySpan } from './arrived-spans.ts';

test('spans are counted by project, each trace stands once', () => {
  const sum: SpanTally = new Map();
  for (const slice of [
    ['a', 'a', 'b'],
    ['b', 'c'],
  ]) {
    const tally: SpanTally = new Map();
    for (const trace_id of slice) tallySpan(tally, { project_id: 1, trace_id });
    tallySpan(tally, { project_id: 2, trace_id: 'd' });
    addTally(sum, tally);
  }
  expect(arrivedSpans(sum, new Set([2]))).toEqual([
    { projectId: 1, count: 5, traceIds: ['a', 'b', 'c'], first: false },
    { projectId: 2, count: 2, traceIds: ['d'], first: true },
  ]);
});

test('of many traces some are named, all spans counted', () => {
  const sum: SpanTally = new Map();
  for (let slice = 0; slice < 2; slice++) {
    const tally: SpanTally = new Map();
    for (let index = 0; index < maxTraceIds; index++)
      tallySpan(tally, { project_id: 1, trace_id: `${slice} ${index}` });
    addTally(sum, tally);
  }
  const [arrived] = arrivedSpans(sum, new Set());
  expect(arrived?.count).toBe(2 * maxTraceIds);
  expect(arrived?.traceIds).toHaveLength(maxTraceIds);
});

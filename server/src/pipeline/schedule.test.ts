import { describe, expect, test } from 'vitest';
import {
  batchLimits,
  nextStep,
  type ScheduleEvent,
  type ScheduleState,
  scheduleTransitions,
  type Standing,
} from './schedule.ts';

const expected: Record<ScheduleState, Record<ScheduleEvent, ScheduleState | 'ignored'>> = {
  idle: { wait: 'waiting', due: 'ignored', lease: 'leasing', leased: 'ignored', close: 'closed' },
  waiting: { wait: 'ignored', due: 'idle', lease: 'ignored', leased: 'ignored', close: 'closed' },
  leasing: { wait: 'ignored', due: 'ignored', lease: 'ignored', leased: 'idle', close: 'closed' },
  closed: { wait: 'ignored', due: 'ignored', lease: 'ignored', leased: 'ignored', close: 'ignored' },
};

test('every event in every state', () => {
  expect(scheduleTransitions).toEqual(expected);
});

const thread = (size: number, isReady = true) => ({ isReady, batches: { size } });
type Thread = ReturnType<typeof thread>;

const stepOf = (standing: Partial<Standing<Thread>>) =>
  nextStep({
    records: 1,
    inFlightRecords: 0,
    threads: [thread(0)],
    lastLeaseAt: 0,
    isLeasedElsewhere: false,
    now: 1000,
    ...standing,
  });

describe('the next step', () => {
  test('is none while all records are in flight; they are drained once none is', () => {
    expect(stepOf({ records: 3, inFlightRecords: 3, threads: [thread(1)] })).toEqual({ kind: 'nothing' });
    expect(stepOf({ records: 0 })).toEqual({ kind: 'drained' });
  });

  test('waits for a thread that is ready and has room', () => {
    expect(stepOf({ threads: [thread(0, false), thread(2)] })).toEqual({ kind: 'nothing' });
    expect(stepOf({ threads: [] })).toEqual({ kind: 'nothing' });
  });

  test('goes to the thread that holds the least, the first of these', () => {
    const threads = [thread(1), thread(0), thread(0)];
    const step = stepOf({ threads });
    expect(step.kind === 'lease' && threads.indexOf(step.thread)).toBe(1);
  });

  test('comes 300 ms after the last batch, at once where a batch would be full', () => {
    const full = batchLimits.maxRecords;
    expect(stepOf({ lastLeaseAt: 900 })).toEqual({ kind: 'wait', ms: 200 });
    expect(stepOf({ lastLeaseAt: 700 })).toMatchObject({ kind: 'lease' });
    expect(stepOf({ lastLeaseAt: 900, records: full + 100, inFlightRecords: 100 })).toMatchObject({ kind: 'lease' });
    expect(stepOf({ lastLeaseAt: 900, records: full, isLeasedElsewhere: true })).toEqual({ kind: 'wait', ms: 200 });
    expect(stepOf({ lastLeaseAt: 900, records: full + 99, inFlightRecords: 100 })).toEqual({ kind: 'wait', ms: 200 });
  });
});

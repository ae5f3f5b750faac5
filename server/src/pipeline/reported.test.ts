import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPreparedEvents } from '../ports/events/testing/prepared.ts';
import { testErrorRow } from '../ports/events/test-rows.ts';
import type { MaybeReported, ReportedBy } from '../process/types.ts';
import { findReported } from './reported.ts';

const now = Date.now();
const place = { position: 0, item: 0 } as never;

function recorded(by: ReportedBy, change: Partial<MaybeReported> = {}): MaybeReported {
  const known = { projectId: 1, traceId: 'a'.repeat(32), type: 'KeyError', value: 'x', at: now };
  return { by, ...known, finish: () => ({ outcomes: [] }), ...change };
}

test('one failure of a span, a log and an SDK is one event', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-reported-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await using store = await openPreparedEvents(dir);
  const row = (trace: string, mechanism: string) =>
    testErrorRow({
      project_id: 1,
      timestamp: now,
      trace_id: trace,
      mechanism,
      error_type: 'KeyError',
      error_value: 'x',
    });
  const [span, log, sdk] = ['b', 'c', 'd'].map((digit) => digit.repeat(32)) as [string, string, string];
  const rows = [row(span, 'opentelemetry'), row(log, 'opentelemetry.log'), row(sdk, 'generic')];
  await store.events.insert('errors', rows, 'reported');
  const ask = async (...errors: MaybeReported[]): Promise<boolean[]> => {
    const maybeReported = errors.map((error) => ({ place, error }));
    const isReported = await findReported(store.events, { maybeReported, events: [] });
    return errors.map(isReported);
  };
  // Of one slice the first one; its own event, once it is stored, is no other report.
  expect(await ask(recorded('opentelemetry'), recorded('opentelemetry.log'))).toEqual([false, true]);
  expect(await ask(recorded('opentelemetry.log'), recorded('opentelemetry'))).toEqual([false, true]);
  expect(await ask(recorded('opentelemetry', { traceId: span }))).toEqual([false]);
  expect(await ask(recorded('opentelemetry.log', { traceId: span }))).toEqual([true]);
  expect(await ask(recorded('opentelemetry', { traceId: log }))).toEqual([true]);
  expect(
    await ask(recorded('opentelemetry', { traceId: sdk }), recorded('opentelemetry.log', { traceId: sdk })),
  ).toEqual([true, true]);
  const traceless = recorded('opentelemetry.log', { traceId: '' });
  expect(await ask(traceless, traceless)).toEqual([false, false]);
});

import { parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { CodedError } from '../errors.ts';
import { createFailures } from './failures.ts';
import { createReporter, type ReporterOptions } from './reporter.ts';

function open(change: Partial<ReporterOptions> = {}) {
  const taken: { publicKey: string; header: Record<string, unknown>; event: Record<string, unknown> }[] = [];
  const lines: { level: string; message: string; fields: Record<string, unknown> }[] = [];
  const log = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: { ...fields } });
  const logger = { warn: log('warn'), error: log('error') };
  const reporter = createReporter({
    logger,
    target: async () => ({ projectId: 1, publicKey: 'a'.repeat(32) }),
    accept: async (publicKey, envelope) => {
      const { header, items } = parseEnvelope(envelope);
      const event = JSON.parse(Buffer.from(items[0]?.payload ?? []).toString()) as Record<string, unknown>;
      taken.push({ publicKey, header, event });
    },
    ...change,
  });
  return { reporter, taken, lines, failures: createFailures({ logger, report: reporter.report }) };
}

test('one digest and one id: returned, logged, reported', async () => {
  const { reporter, taken, lines, failures } = open();
  const error = new TypeError('x is not a function');
  const noted = failures.note(error, { fields: { from: 3 } });
  await reporter.flush(10_000);
  expect(noted).toEqual({
    digest: expect.stringMatching(/^\d{1,10}$/) as string,
    eventId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
  expect(lines).toMatchObject([{ level: 'error', fields: { err: error, digest: noted.digest, from: 3 } }]);
  expect(taken).toMatchObject([
    { publicKey: 'a'.repeat(32), header: { event_id: noted.eventId }, event: { tags: { digest: noted.digest } } },
  ]);
  await reporter[Symbol.asyncDispose]();
});

test('that nothing can be reported is said once, and is not reported', async () => {
  let tried = 0;
  const { reporter, lines, failures } = open({
    accept: () => {
      tried += 1;
      return Promise.reject(new CodedError('LOG_FULL'));
    },
  });
  for (let index = 0; index < 20; index++) failures.note(new Error(`failure ${index}`));
  await reporter.flush(10_000);
  expect(tried).toBe(20);
  expect(lines.filter(({ level }) => level === 'error').length).toBe(20);
  expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { err: { code: 'LOG_FULL' } } }]);
  await reporter[Symbol.asyncDispose]();
});

test('a storm stays in the log', async () => {
  const { reporter, taken, lines, failures } = open();
  const error = (): Error => Object.assign(new Error('again'), { digest: '123' });
  const ids = Array.from({ length: 1_000 }, () => failures.note(error()).eventId);
  await reporter[Symbol.asyncDispose]();
  expect(ids.filter((id) => id !== undefined).length).toBe(5);
  expect(taken.length).toBe(5);
  expect(lines.filter(({ level }) => level === 'error').length).toBe(1_000);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { count: 995 } });
});

test('the same failure thousands of times a second is one line', () => {
  const { failures, lines } = open();
  const error = new CodedError('LOG_FULL');
  for (let index = 0; index < 100; index++) failures.note(error, { atMostEveryMs: 60_000 });
  expect(lines.length).toBe(1);
});

test('without a project to report to, the log has it', async () => {
  const { reporter, taken, lines, failures } = open({ target: async () => undefined });
  failures.note('thrown text');
  await reporter.flush(10_000);
  expect([taken.length, lines.length]).toEqual([0, 1]);
});

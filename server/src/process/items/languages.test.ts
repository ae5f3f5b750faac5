/** What is kept of what the SDKs of other languages send, from their recordings. */
import { parseEnvelope } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../../../../fixtures/index.ts';
import type { LogRow } from '../../base/tables/logs.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import type { Event } from '../steps/event.ts';
import type { ItemResult, ProcessedEvent } from '../types.ts';
import { context, run } from './testing.ts';

/** The items of a recording, received a moment after they were sent. */
function results(name: string): ItemResult[] {
  const { bytes, meta } = readLanguageFixture(name);
  if (meta.path.includes('/store/')) return [run('event', bytes)];
  const { header, items } = parseEnvelope(bytes);
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : undefined;
  const receivedAt = sentAt === undefined ? context.receivedAt : sentAt + 50;
  return items.map((item) => run(item.type, item.payload, { receivedAt, sentAt }, item.header));
}

const eventsOf = (name: string): ProcessedEvent[] => results(name).flatMap(({ events }) => events ?? []);

function stored(name: string): { event: Event; meta: unknown; processed: ProcessedEvent } {
  const [processed] = eventsOf(name);
  if (!processed) throw new Error(`${name} has no event`);
  const event = JSON.parse(processed.row.payload) as Event;
  const { _meta: meta } = event;
  return { event, meta, processed };
}

const logsOf = (name: string): LogRow[] => results(name).flatMap(({ rows }) => (rows?.logs ?? []) as LogRow[]);
const spansOf = (name: string): SpanRow[] => results(name).flatMap(({ rows }) => (rows?.spans ?? []) as SpanRow[]);

describe('threads', () => {
  test('of Java with what they do and hold', () => {
    const { event, processed } = stored('java-8.62/locked');
    const threads = event.threads?.values ?? [];
    const named = (name: string) => threads.find((thread) => thread.name === name);
    expect(named('main')).toMatchObject({ id: 1, crashed: true, priority: 5, state: 'RUNNABLE' });
    expect(named('waiter')).toMatchObject({ state: 'BLOCKED', daemon: true, stacktrace: { snapshot: true } });
    expect(named('Finalizer')?.stacktrace?.frames.at(-1)).toMatchObject({ function: 'wait', native: true });
    expect(JSON.parse(processed.row.facts)).toMatchObject({ contexts: { trace: { data: { 'thread.name': 'main' } } } });
  });

  test('of Java by the one that failed', () => {
    const { event } = stored('java-8.62/thread');
    const [exception] = event.exception?.values ?? [];
    const failed = event.threads?.values.find(({ id }) => id === exception?.thread_id);
    expect(failed).toMatchObject({ name: 'worker-7', crashed: true });
  });
});

test.each([
  ['python-2/logging', 'shop.pay'],
  ['python-2/plainlog', 'shop.mail'],
  ['python-2/asyncio', 'asyncio'],
  ['java-8.53/logback', 'shop.pay'],
  ['rust-0.49/tracing', 'shop::telemetry'],
])('the logger of %s is a tag, and the issue has it', (name, logger) => {
  const { event, processed } = stored(name);
  expect(event.logger).toBe(logger);
  expect(processed.row.tags['logger']).toBe(logger);
  expect(processed.seed.metadata['logger']).toBe(logger);
});

describe('local variables', () => {
  test('a long one does not hide the others', () => {
    const { event, meta } = stored('python-2/locals');
    const frame = event.exception?.values
      .at(-1)
      ?.stacktrace?.frames.find(({ vars }) => (vars as { big?: string } | undefined)?.big !== undefined);
    const vars = frame?.vars as Record<string, unknown>;
    expect(Object.keys(vars)).toEqual(expect.arrayContaining(['big', 'nested', 'nothing', 'many', 'blob', 'ratio']));
    expect((vars['big'] as string).length).toBeLessThan(2_100);
    expect(vars['nested']).toMatchObject({ a: { b: {} } });
    expect(JSON.stringify(meta)).toContain('"big":{"":{"rem":[["!limit","s"]]');
  });

  test('are not blanked by words within their values; secrets are', () => {
    const { event } = stored('python-2/scrubbing');
    const [exception] = event.exception?.values ?? [];
    const vars = exception?.stacktrace?.frames.map((frame) => frame.vars as Record<string, unknown>) ?? [];
    const all = JSON.stringify(vars);
    for (const kept of ['Frank Herbert', 'tokenize the text', 'auth.example.com', 'Dune']) expect(all).toContain(kept);
    expect(exception?.value).toContain('password=[Filtered]');
    expect(JSON.stringify(event)).not.toContain('hunter2');
    expect(stored('python-2/scrubbing-2').event.logentry?.formatted).toContain('token=[Filtered]');
  });
});

test('what the SDK says that it removed is kept', () => {
  const texts = ['python-2-flask/web-4', 'python-2-flask/web-6', 'python-2-flask/web-8'].map((name) =>
    JSON.stringify(stored(name).meta),
  );
  expect(texts.join()).toContain('[["!config","s"]]');
  expect(texts.join()).not.toContain('"len":10');
});

test('text attachments are what was sent, or say what was removed', () => {
  const kept = results('python-2/attach').flatMap((result) => result.kept ?? []);
  const files = kept.map(({ row, blob }) => ({
    headers: JSON.parse(row.headers) as { filename?: string },
    detail: row.detail,
    size: row.size_bytes,
    stored: blob instanceof Uint8Array ? blob.length : Buffer.byteLength(row.payload),
  }));
  expect(files.length).toBeGreaterThan(1);
  for (const { size, stored: bytes } of files) expect(size).toBe(bytes);
  expect(files.map(({ detail }) => detail).filter(Boolean)).toEqual([
    expect.stringMatching(/^Secrets were removed: \d+ × \[/) as string,
  ]);
});

test('the parameters of Raven are without quotes', () => {
  const entries = listLanguageFixtures()
    .filter((name) => name.startsWith('raven-6.10/'))
    .flatMap((name) => (stored(name).event.logentry?.params ? [stored(name).event.logentry] : []));
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(JSON.stringify(entry)).not.toMatch(/'\w+'/);
});

test('a stack that was cut says so where it stands', () => {
  const { meta } = stored('python-2/recursion');
  expect(meta).toMatchObject({
    exception: { values: { 0: { stacktrace: { frames: { '': { rem: [['!limit', 'x']] } } } } } },
  });
});

describe('services', () => {
  test.each([
    ['go-0.50/logs', 'shop-go'],
    ['rust-0.49/logs', 'shop-rs'],
    ['java-8.62/logs', 'shop-java'],
    ['python-2/logs', 'shop-py'],
  ])('the logs of %s name theirs', (name, service) => {
    expect(new Set(logsOf(name).map((log) => log.service))).toEqual(new Set([service]));
  });

  test.each([
    ['go-0.50/trace-t-2', 'go-0.50/trace-t-3'],
    ['python-2/trace-2', 'python-2/trace-3'],
    ['java-8.62/trace-2', 'java-8.62/trace-3'],
    ['rust-0.49/tracing-2', 'rust-0.49/tracing-3'],
  ])('spans of %s and logs of %s are of one', (trace, logs) => {
    const [segment] = spansOf(trace);
    expect(segment?.service).toMatch(/^shop-/);
    expect(segment?.attributes['host.name']).toMatch(/^web-/);
    expect(new Set(logsOf(logs).map((log) => log.service))).toEqual(new Set([segment?.service]));
  });

  test('as spans that are streamed are', () => {
    const services = new Set(spansOf('python-2-flask/stream').map(({ service }) => service));
    expect(services).toEqual(new Set(['shop-web']));
  });
});

test('logs of tracing are on their span', () => {
  const spans = new Set(spansOf('rust-0.49/tracing-2').map((span) => span.span_id));
  const logs = logsOf('rust-0.49/tracing-3');
  expect(logs.map((log) => spans.has(log.span_id))).toEqual(logs.map(() => true));
  expect(logs[0]?.attributes).not.toHaveProperty('parent_span_id');
});

test('Rust is told by its SDK where nothing else does', () => {
  expect(new Set(spansOf('rust-0.49/tracing-2').map(({ platform }) => platform))).toEqual(new Set(['rust']));
});

/** What filters leave of items, and how what they drop is counted; and that they drop nothing ordinary. */
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import { listFixtures, listLanguageFixtures, readFixture, readLanguageFixture } from '../../../../fixtures/index.ts';
import { type FilterSettings, newProjectFilters } from '../steps/filters/index.ts';
import { defaultProjectSettings, type ItemContext } from '../types.ts';
import { processItem, processItems } from './index.ts';
import { context, outcomesOf, run } from './testing.ts';

const withFilters = (filters: FilterSettings): Partial<ItemContext> => ({
  settings: { ...defaultProjectSettings, filters },
});
const on = (...active: FilterSettings['active']): Partial<ItemContext> => withFilters({ active, patterns: {} });

const ofExtension = {
  platform: 'javascript',
  exception: {
    values: [{ type: 'Error', value: 'x', stacktrace: { frames: [{ abs_path: 'moz-extension://a/b.js' }] } }],
  },
};
const id = (char: string, length: number): string => char.repeat(length);
const second = context.receivedAt / 1000 - 2;

function transaction(name: string) {
  return {
    type: 'transaction',
    transaction: name,
    platform: 'node',
    start_timestamp: second,
    timestamp: second + 1,
    environment: 'dev',
    contexts: { trace: { trace_id: id('a', 32), span_id: id('b', 16), op: 'http.server' } },
    spans: [{ trace_id: id('a', 32), span_id: id('c', 16), start_timestamp: second, timestamp: second + 1, op: 'db' }],
  };
}

describe('what is dropped', () => {
  test('is an outcome and nothing else', () => {
    const result = run('event', ofExtension, on('browser-extensions'));
    expect(outcomesOf(result)).toEqual([['error', 'filtered:browser-extensions', 1]]);
    expect([result.events, result.rows, result.kept, result.waiting]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(outcomesOf(run('event', ofExtension))).toEqual([['error', 'accepted', 1]]);
  });

  test('is not what an import brings', () => {
    const imported = { ...on('browser-extensions'), imported: { keepFrom: 0 } };
    expect(outcomesOf(run('event', ofExtension, imported))).toEqual([['error', 'accepted', 1]]);
  });

  test('goes by the address even where none is stored', () => {
    const filters: FilterSettings = { active: ['ip-address'], patterns: { 'ip-address': ['203.0.113.0/24'] } };
    const settings = { ...defaultProjectSettings, storeIpAddresses: false, filters };
    expect(outcomesOf(run('event', { message: 'x' }, { settings }))).toEqual([['error', 'filtered:ip-address', 1]]);
    const elsewhere = { settings, remoteAddress: '192.0.2.1' };
    expect(outcomesOf(run('event', { message: 'x' }, elsewhere))).toEqual([['error', 'accepted', 1]]);
  });

  test('of a transaction are its spans, too', () => {
    const result = run('transaction', transaction('GET /healthz'), on('filtered-transaction'));
    expect(outcomesOf(result)).toEqual([
      ['transaction', 'filtered:filtered-transaction', 1],
      ['span', 'filtered:filtered-transaction', 2],
    ]);
    expect(result.rows?.spans).toEqual([]);
    const other = run('transaction', transaction('GET /cart'), on('filtered-transaction'));
    expect(outcomesOf(other)).toEqual([
      ['transaction', 'accepted', 1],
      ['span', 'accepted', 2],
    ]);
  });

  test('of a container are the spans of health checks alone', () => {
    const span = (char: string, segment: string, isSegment: boolean) => ({
      trace_id: id('a', 32),
      span_id: id(char, 16),
      name: isSegment ? segment : 'SELECT 1',
      is_segment: isSegment,
      start_timestamp: second,
      end_timestamp: second + 1,
      attributes: { 'sentry.segment.name': { value: segment, type: 'string' } },
    });
    const items = [span('1', 'GET /ping', true), span('2', 'GET /ping', false), span('3', 'GET /cart', true)];
    const result = run('span', { items }, on('filtered-transaction'), { item_count: 3 });
    expect(outcomesOf(result)).toEqual([
      ['span', 'accepted', 1],
      ['span', 'filtered:filtered-transaction', 2],
    ]);
    expect(result.rows?.spans?.map(({ transaction: name }) => name)).toEqual(['GET /cart']);
  });

  test('of a segment that says its path beside its name are its spans, too', () => {
    const span = (char: string, path: string | undefined, segment: string) => ({
      trace_id: id('a', 32),
      span_id: id(char, 16),
      name: path === undefined ? 'SELECT 1' : 'GET',
      is_segment: path !== undefined,
      start_timestamp: second,
      end_timestamp: second + 1,
      attributes: {
        'sentry.segment.name': { value: 'GET', type: 'string' },
        'sentry.segment.id': { value: id(segment, 16), type: 'string' },
        ...(path !== undefined && { 'url.path': { value: path, type: 'string' } }),
      },
    });
    const items = [
      span('2', undefined, '1'),
      span('1', '/healthz', '1'),
      span('4', undefined, '3'),
      span('3', '/', '3'),
    ];
    const result = run('span', { items }, on('filtered-transaction'), { item_count: 4 });
    expect(outcomesOf(result)).toEqual([
      ['span', 'accepted', 2],
      ['span', 'filtered:filtered-transaction', 2],
    ]);
    expect(result.rows?.spans?.map(({ span_id: one }) => one[0])).toEqual(['4', '3']);
  });

  test('are logs and sessions of an environment', () => {
    const filters = withFilters({ active: ['environment'], patterns: { environment: ['dev*'] } });
    const attributes = { 'sentry.environment': { value: 'development', type: 'string' } };
    const log = { timestamp: second, trace_id: id('a', 32), level: 'info', body: 'x' };
    const logs = run('log', { items: [{ ...log, attributes }, log] }, filters);
    expect(outcomesOf(logs)).toEqual([
      ['log_item', 'accepted', 1],
      ['log_item', 'filtered:environment', 1],
    ]);
    const attrs = { release: '1', environment: 'dev' };
    const counted = [{ started: new Date(context.receivedAt).toISOString(), exited: 3 }];
    expect(outcomesOf(run('sessions', { aggregates: counted, attrs }, filters))).toEqual([
      ['session', 'filtered:environment', 1],
    ]);
    expect(outcomesOf(run('transaction', transaction('GET /cart'), filters))[0]).toEqual([
      'transaction',
      'filtered:environment',
      1,
    ]);
  });

  test('of an envelope is what came with the event, in whatever order; feedback stays', () => {
    const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
    const item = (type: string, payload: unknown) => ({ type, header: { type }, payload: encode(payload) });
    const items = [
      item('attachment', 'a screenshot'),
      item('event', ofExtension),
      item('user_report', { event_id: id('d', 32), comments: 'It broke' }),
      item('attachment', 'a log'),
    ];
    const all = [...processItems(items, { ...context, ...on('browser-extensions') })];
    const byPlace = all.toSorted(([a], [b]) => a - b).map(([, result]) => outcomesOf(result)[0]);
    expect(byPlace).toEqual([
      ['attachment', 'filtered:browser-extensions', 1],
      ['error', 'filtered:browser-extensions', 1],
      ['feedback', 'accepted', 1],
      ['attachment', 'filtered:browser-extensions', 1],
    ]);
    expect([...processItems(items, context)].map(([index]) => index)).toEqual([0, 1, 2, 3]);
  });

  test('of browsers’ reports are those of extensions alone', () => {
    const report = (blocked: string) => ({
      'csp-report': {
        'document-uri': 'https://shop.example.com/',
        'blocked-uri': blocked,
        'effective-directive': 'img-src',
      },
    });
    const reports = [report('chrome-extension'), report('https://cdn.example.net/a.png')];
    expect(outcomesOf(run('raw_security', reports, on('browser-extensions')))).toEqual([
      ['security', 'accepted', 1],
      ['security', 'filtered:browser-extensions', 1],
    ]);
  });
});

/** Reasons by which filters drop items of recorded requests, with the name of the recording, and how many items there are. */
function droppedOfRecorded(filters: FilterSettings): { dropped: string[]; items: number } {
  const fixtures = [...listFixtures().map(readFixture), ...listLanguageFixtures().map(readLanguageFixture)];
  const dropped: string[] = [];
  let count = 0;
  for (const { name, meta, bytes } of fixtures) {
    const signal = /\/v1\/(traces|logs|metrics)/.exec(meta.path)?.[1];
    const single = { type: signal ? `otlp_${signal}` : 'event', header: { take: 10_000 }, payload: bytes };
    const { header, items } = meta.path.includes('/envelope/')
      ? parseEnvelope(bytes)
      : { header: {} as Readonly<Record<string, unknown>>, items: [single] };
    const sentAt = typeof header['sent_at'] === 'string' ? Date.parse(header['sent_at']) : undefined;
    const all: ItemContext = {
      ...context,
      ...withFilters(filters),
      sentAt,
      receivedAt: sentAt === undefined ? context.receivedAt : sentAt + 50,
      envelopeEventId: parseEventId(header['event_id']),
      userAgent: new Map(meta.headers).get('user-agent'),
    };
    for (const item of items) {
      // What SDKs say that they filtered is no doing of ours.
      if (item.type === 'client_report') continue;
      const { outcomes } = processItem(item, all);
      count += outcomes.reduce((sum, { quantity }) => sum + quantity, 0);
      for (const { outcome, category } of outcomes)
        if (outcome.kind === 'filtered') dropped.push(`${name} ${category} ${outcome.reason}`);
    }
  }
  return { dropped, items: count };
}

test('of all recorded requests, new projects lose nothing', () => {
  const { dropped, items } = droppedOfRecorded(newProjectFilters);
  expect(items).toBeGreaterThan(600);
  expect(dropped).toEqual([]);
});

test('nor by the others that judge by themselves', () => {
  const { dropped } = droppedOfRecorded({ active: ['legacy-browsers', 'chunk-load-error', 'localhost'], patterns: {} });
  expect(dropped).toEqual([]);
});

test('the control: filters that are meant for recorded requests find them', () => {
  const patterns = { 'error-type': ['TypeError'], 'release-version': ['shop@*'] };
  const { dropped } = droppedOfRecorded({ active: ['error-type', 'release-version'], patterns });
  expect(dropped.length).toBeGreaterThan(10);
});

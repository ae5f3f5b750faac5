/** Traces that unmodified SDKs from 5 to 11 sent, as rows, attribute by attribute. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import { readFixture } from '../../../../fixtures/index.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import { sharedFolder } from '../steps/conformance-data.ts';
import { processItem } from './index.ts';
import { context } from './testing.ts';

const captures = sharedFolder('fixtures/captures', 'captured traces of SDKs 5 to 11') ?? '';

/** What the envelope's spans become; its own clock is right. */
function rowsOf(stored: Uint8Array): SpanRow[] {
  const bytes = stored[0] === 0x1f ? gunzipSync(stored) : stored;
  const { header, items } = parseEnvelope(bytes);
  const sentAt = Date.parse(String(header.sent_at));
  return items.flatMap((item) => {
    const { rows: { spans = [] } = {}, outcomes } = processItem(item, {
      ...context,
      receivedAt: sentAt + 50,
      sentAt,
      envelopeEventId: parseEventId(header.event_id),
      trace: header.trace as Record<string, unknown>,
    });
    expect(outcomes.every(({ outcome }) => outcome.kind === 'accepted')).toBe(true);
    return spans;
  });
}

const captured = (...names: string[]): SpanRow[] =>
  names.flatMap((name) => rowsOf(readFileSync(join(captures, `${name}.body`))));

/** `op | parent | start µs | duration µs | self µs | status | description`, by span id. */
function outline(rows: readonly SpanRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.map((row) => [
      row.span_id,
      [row.op, row.parent_span_id, row.started_at, row.duration_us, row.exclusive_us, row.status, row.description].join(
        ' | ',
      ),
    ]),
  );
}

const only = (rows: readonly SpanRow[], op: string): SpanRow => {
  const found = rows.filter((row) => row.op === op);
  expect(found.map((row) => row.op)).toEqual([op]);
  return found[0] as SpanRow;
};

describe.skipIf(captures === '')('captured traces', () => {
  test('SDK 5: spans without status, data or origin', () => {
    const rows = captured('legacy-node-v5/02-transaction');
    expect(outline(rows)).toEqual({
      be9603f356aea05f: 'task |  | 1795230190074868 | 30883 | 320 |  | v5 tx',
      b9459c179c3ed009: 'db | be9603f356aea05f | 1795230190075121 | 30563 | 30563 |  | SELECT %s',
    });
    expect(rows[0]).toMatchObject({
      trace_id: '1e165f10daf543ffb197129b4f96a89b',
      is_segment: 1,
      transaction: 'v5 tx',
      transaction_source: '',
      failed: 0,
      service: 'web-01',
      platform: 'node',
      environment: 'production',
      release: 'old@0.5.0',
      sdk_name: 'sentry.javascript.node',
      sdk_version: '5.30.0',
      user: '',
    });
    expect(rows[1]).toMatchObject({
      kind: 'client',
      segment_id: 'be9603f356aea05f',
      transaction: 'v5 tx',
      is_segment: 0,
    });
  });

  test('SDK 7 in a browser: measurements and tags of the trace', () => {
    const rows = captured('legacy-browser-v7/02-transaction');
    const segment = only(rows, 'pageload');
    expect(rows).toHaveLength(11);
    expect(segment).toMatchObject({
      span_id: 'b9cb57e0768e99f9',
      started_at: 1795230891116000,
      duration_us: 328600,
      transaction: '/',
      transaction_source: 'url',
      platform: 'javascript',
      origin: 'auto.pageload.browser',
      user: 'ip:203.0.113.9',
    });
    expect(segment.attributes).toMatchObject({
      'network.connection.effective_type': '4g',
      'browser.name': 'HeadlessChrome',
      'url.full': 'http://127.0.0.1:8080/',
    });
    expect(segment.numbers).toMatchObject({
      ttfb: 217.5,
      'browser.web_vital.ttfb.request_time': 16.5,
      'network.connection.rtt': 100,
      'device.memory.estimated_capacity': 16,
      'device.processor_count': 2,
    });
    const script = only(rows, 'resource.script');
    expect(script.description).toBe('127.0.0.1:8080/assets/index-*.js');
    expect(script.numbers).toMatchObject({ 'http.response.size': 313805, 'http.response.body.decoded_size': 313505 });
    expect(script.attributes).toMatchObject({ 'http.request.same_origin': 'true' });
  });

  test('SDK 7 and 10 on servers, SDK 9 in a browser', () => {
    expect(outline(captured('legacy-node-v7/04-transaction'))).toEqual({
      '9a0cbaa9404928af': 'task |  | 1795230881752808 | 438 | 438 |  | v7 tx',
    });
    const v10 = captured('node-v10/02-transaction');
    expect(outline(v10)).toEqual({
      '8d376342369469b8': 'http.server |  | 1795230190700624 | 12708 | 6874 | ok | POST /checkout',
      '9fae8d70fae1bd13': 'db | 8d376342369469b8 | 1795230190701618 | 5834 | 5834 | ok | SELECT %s',
    });
    expect(v10[0]).toMatchObject({
      kind: 'server',
      service: 'web-01',
      transaction_source: 'custom',
      sdk_version: '10.78.0',
    });
    const v9 = only(captured('legacy-browser-v9-profile/02-transaction+profile'), 'pageload');
    expect(v9.numbers).toMatchObject({ 'browser.performance.time_origin': 1795230932.79 });
    expect(v9.numbers.ttfb).toBeCloseTo(88.1);
  });

  test('SDK 11: one trace, streamed and in a transaction', () => {
    const streamed = captured('node-trace-manual/03-span');
    const whole = captured('node-trace-manual-static/03-transaction');
    const essentials = (rows: readonly SpanRow[]) =>
      rows
        .toSorted((a, b) => a.started_at - b.started_at)
        .map(({ op, name, description, description_hash, status, kind, transaction, transaction_source, origin }) => ({
          op,
          name,
          description,
          description_hash,
          status,
          kind,
          transaction,
          transaction_source,
          origin,
        }));
    expect(essentials(streamed)).toEqual(essentials(whole));
    expect(essentials(streamed).map(({ op, description, status }) => [op, description, status])).toEqual([
      ['http.server', 'POST /checkout', 'ok'],
      ['db', 'SELECT * FROM orders WHERE id = %s', 'ok'],
      ['http.client', 'POST pay.example.com/v1/charge', 'internal_error'],
      ['function', 'render', 'internal_error'],
      ['cache.get', 'cache.get basket', 'ok'],
      ...Array.from({ length: 6 }, () => ['db', 'SELECT * FROM items WHERE order_id = %s', 'ok']),
    ]);
    const [segment] = streamed.filter((row) => row.is_segment === 1);
    expect(segment).toMatchObject({
      span_id: '991db4b91ed7da65',
      segment_id: '991db4b91ed7da65',
      started_at: 1795229643524597,
      duration_us: 95616,
      exclusive_us: -1,
      release: 'shop-api@1.2.3',
      environment: 'production',
      user: 'id:u-42',
      platform: 'node',
      sdk_name: 'sentry.javascript.node',
      sdk_version: '11.12.0',
    });
    for (const rows of [streamed, whole]) {
      const root = only(rows, 'http.server');
      expect(root.attributes).toMatchObject({
        'http.request.method': 'POST',
        'http.route': '/checkout',
        arr: '["a","b"]',
        bool: 'true',
        'os.name': 'Debian',
        'os.version': '12.11',
        'culture.timezone': 'UTC',
      });
      expect(root.numbers).toMatchObject({ num: 1.5, int: 7, 'sentry.sample_rate': 1, 'device.processor_count': 2 });
      const cache = only(rows, 'cache.get');
      expect(cache.attributes).toMatchObject({ 'cache.hit': 'false', 'cache.key': '["basket:7"]' });
      expect(JSON.parse(cache.links)).toEqual([
        { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), attributes: { 'sentry.link.type': 'previous_trace' } },
      ]);
      const call = only(rows, 'http.client');
      expect(call).toMatchObject({ failed: 1, numbers: { 'http.response.status_code': 502 } });
      const query = rows.find((row) => row.op === 'db');
      expect(query?.attributes).toMatchObject({
        'db.system.name': 'postgresql',
        'db.query.text': 'SELECT * FROM orders WHERE id = $1',
        'db.operation.name': 'SELECT',
        'db.collection.name': 'orders',
      });
    }
    const root = only(whole, 'http.server');
    expect(root).toMatchObject({ dist: '42', service: 'web-01', user: 'id:u-42' });
    expect(root.attributes.tenant).toBe('acme');
    expect(root.numbers['basket.size']).toBe(3);
    expect(root.exclusive_us).toBeLessThan(root.duration_us);
  });

  test.each(['node-distributed-static', 'node-distributed-stream'])('two services in one trace: %s', (session) => {
    const kind = session.endsWith('static') ? 'transaction' : 'span';
    const numbers = kind === 'transaction' ? ['01', '02'] : ['03', '04'];
    const rows = captured(...numbers.map((number) => `${session}/${number}-${kind}`));
    expect(new Set(rows.map((row) => row.trace_id)).size).toBe(1);
    const segments = rows.filter((row) => row.is_segment === 1);
    expect(
      segments.map(({ transaction, transaction_source, kind: side }) => [transaction, transaction_source, side]).sort(),
    ).toEqual([
      ['GET /stock/:id', 'route', 'server'],
      ['POST /checkout/:id', 'route', 'server'],
    ]);
    const remote = segments.find((row) => row.transaction === 'GET /stock/:id');
    const call = only(rows, 'http.client');
    expect(call.description).toBe('GET 127.0.0.1:7002/stock/*');
    expect(remote?.parent_span_id).toBe(call.span_id);
    expect(remote?.release).toBe('stock@3.1.0');
    for (const row of rows) {
      if (row.is_segment === 0) expect(rows.some(({ span_id }) => span_id === row.parent_span_id)).toBe(true);
    }
    const front = segments.find((row) => row.transaction === 'POST /checkout/:id');
    expect(front?.attributes).toMatchObject({
      'url.full': 'http://127.0.0.1:7001/checkout/7?coupon=X1',
      'http.route': '/checkout/:id',
      'http.request.header.cookie': '["sid=[Filtered]","theme=dark"]',
      'http.request.body.data': '{"items":[1,2]}',
      'client.address': '127.0.0.1',
      'browser.name': 'Chrome',
    });
    expect(front?.numbers).toMatchObject({ 'http.response.status_code': 200, 'server.port': 7001 });
  });

  test('SDK 11 in a browser: page load, late vitals, requests of their own', () => {
    const rows = captured(
      ...['02', '07', '10', '11', '13', '14', '15'].map((number) => `browser-stream/${number}-span`),
    );
    const pageload = only(rows, 'pageload');
    expect(pageload).toMatchObject({
      span_id: '9c0c30ed7280d801',
      transaction: '/',
      transaction_source: 'route',
      started_at: 1795230004350000,
      duration_us: 169900,
      platform: 'javascript',
      sdk_name: 'sentry.javascript.react',
      user: 'ip:203.0.113.9',
    });
    expect(pageload.numbers).toMatchObject({ fcp: 168, fp: 168, 'device.processor_count': 2 });
    expect(pageload.numbers.ttfb).toBeCloseTo(5.9);
    expect(pageload.attributes).toMatchObject({
      'url.template': '/',
      'browser.name': 'HeadlessChrome',
      'os.name': 'Linux',
    });
    const ofPage = (op: string): SpanRow | undefined =>
      rows.find((row) => row.op === op && row.segment_id === pageload.span_id);
    expect(ofPage('ui.webvital.lcp')).toMatchObject({
      transaction: '/',
      parent_span_id: pageload.span_id,
      is_segment: 0,
      exclusive_us: 0,
      numbers: { lcp: 168, 'browser.web_vital.lcp.size': 2520 },
      attributes: { 'browser.web_vital.lcp.element': 'body > div#root > main > h1', 'browser.name': 'HeadlessChrome' },
    });
    expect(ofPage('ui.webvital.cls')?.numbers).toMatchObject({ cls: 0 });
    expect(ofPage('ui.interaction.click')).toMatchObject({
      duration_us: 16000,
      exclusive_us: 16000,
      numbers: { inp: 16 },
      attributes: { 'browser.web_vital.inp.target': 'body > div#root > main > button#stock' },
    });
    const failed = rows.find((row) => row.span_id === 'bf1679f507b9410a');
    expect(failed).toMatchObject({
      is_segment: 1,
      status: 'internal_error',
      failed: 1,
      user: 'id:u-42',
      description: 'GET 127.0.0.1:8080/app-api/fail',
      transaction: 'GET 127.0.0.1',
    });
    const product = rows.find((row) => row.span_id === '8197531d92dd55b6');
    expect(product).toMatchObject({ op: 'navigation', transaction: '/products/:id', transaction_source: 'route' });
    expect(JSON.parse(product?.links ?? '')).toHaveLength(1);
  });

  test('the same page in transactions has the same names', () => {
    const streamed = captured('browser-stream/02-span');
    const whole = captured('browser-static/02-transaction');
    const pageload = only(whole, 'pageload');
    expect(pageload.numbers).toMatchObject({ lcp: 188, fcp: 188, fp: 188, 'browser.web_vital.lcp.size': 2520 });
    expect(pageload.attributes['browser.web_vital.lcp.element']).toBe('body > div#root > main > h1');
    const resources = (rows: readonly SpanRow[]) =>
      rows
        .filter(({ op }) => op.startsWith('resource.'))
        .map(({ op, description, description_hash }) => [op, description, description_hash]);
    expect(resources(whole)).toEqual(resources(streamed));
    expect(resources(whole).map(([, description]) => description)).toEqual([
      '127.0.0.1:8080/assets/index-*.js',
      '127.0.0.1:8080/assets/rolldown-runtime-*.js',
      '127.0.0.1:8080/assets/vendor-*.js',
      '127.0.0.1:8080/favicon.ico',
    ]);
    // INP comes as a span of its own here, too, and is no transaction.
    const [inp] = captured('browser-static/12-span');
    expect(inp).toMatchObject({ op: 'ui.interaction.click', is_segment: 0, transaction: '/', numbers: { inp: 40 } });
  });

  test('@sentry/browser alone', () => {
    const rows = captured('browser-plain-trace/06-span', 'browser-plain-trace/07-span');
    expect(rows.filter((row) => row.op === 'pageload')).toHaveLength(1);
    expect(rows.every((row) => row.platform === 'javascript' && row.transaction !== '')).toBe(true);
  });
});

const recorded = (name: string): SpanRow[] => rowsOf(readFixture(name).bytes);

describe('recorded traces', () => {
  test.each(['node-10/trace', 'node-11/trace'])('%s', (name) => {
    const rows = recorded(name);
    const [segment] = rows.filter((row) => row.is_segment === 1);
    expect(segment).toMatchObject({ op: 'task', status: 'ok', platform: 'node', sdk_name: 'sentry.javascript.node' });
    const queries = rows.filter((row) => row.op === 'db.query');
    expect(queries.length).toBeGreaterThan(0);
    for (const row of queries) {
      expect(row.description).toBe('SELECT * FROM products WHERE sku = %s');
      expect(row.attributes).toMatchObject({ 'db.system.name': 'postgresql', sku: expect.any(String) as string });
    }
    for (const row of rows) {
      expect(row.segment_id).toBe(segment?.span_id);
      expect(row.transaction).toBe(segment?.transaction);
      expect(row.remarks).toBe('');
    }
  });

  test.each(['node-10/http-server', 'node-11/http-server'])('%s', (name) => {
    const segment = only(recorded(name), 'http.server');
    expect(segment).toMatchObject({ kind: 'server', is_segment: 1, status: 'ok', failed: 0 });
    expect(segment.attributes).toMatchObject({ 'http.request.method': 'GET', 'url.full': 'http://shop.example.com/' });
    expect(segment.numbers['http.response.status_code']).toBe(200);
    expect(
      Object.keys(segment.attributes).filter((key) => /^(?:net|http)\.(?:host|peer|method|url|flavor)/.test(key)),
    ).toEqual([]);
  });

  test.each(['react-10/pageload', 'react-11/pageload', 'browser-10/pageload', 'browser-11/pageload'])('%s', (name) => {
    const rows = recorded(name);
    const page = only(rows, 'pageload');
    // Without a router SDK 11 names no page: the path is an attribute.
    const transaction = name.includes('11') ? 'Pageload' : '/';
    expect(page).toMatchObject({ is_segment: 1, platform: 'javascript', transaction, transaction_source: 'url' });
    expect(page.numbers.fcp).toBeGreaterThan(0);
    expect(page.numbers.ttfb).toBeGreaterThanOrEqual(0);
    expect(page.attributes['browser.name']).toMatch(/Chrome/);
    expect(rows.every((row) => row.duration_us >= 0 && row.description_hash.length === 16)).toBe(true);
  });
});

/**
 * Every captured request that holds spans, of SDK 5 to 11 and of OpenTelemetry: what each span becomes stands in
 * `captured-spans.txt`, a line each, and no attribute that was sent is lost. Single attributes: `spans.captures.test.ts`.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseEnvelope, parseEventId } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import { readJson, sharedFolder } from '../steps/conformance-data.ts';
import { processItem } from './index.ts';
import { context } from './testing.ts';

const captures = sharedFolder('fixtures/captures', 'spans of all captured requests') ?? '';

interface Meta {
  readonly name: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly file: string; readonly envelopeItems?: readonly string[] };
}

/** A span as sent: attributes under the names of the sender, whatever their shape was. */
interface Sent {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Capture {
  readonly name: string;
  readonly sent: readonly Sent[];
  readonly rows: readonly SpanRow[];
}

type Fields = Record<string, unknown>;
const object = (value: unknown): Fields => (value ?? {}) as Fields;
const list = (value: unknown): Fields[] => (value ?? []) as Fields[];
const values = (attributes: unknown): Fields =>
  Object.fromEntries(Object.entries(object(attributes)).map(([name, entry]) => [name, object(entry)['value']]));

const sentByContainer = ({ items }: Fields): Sent[] =>
  list(items).map(({ span_id: id, attributes }) => ({ id: String(id), attributes: values(attributes) }));

const sentByTransaction = ({ contexts, spans, measurements, tags }: Fields): Sent[] => {
  const trace = object(object(contexts)['trace']);
  return [
    {
      id: String(trace['span_id']),
      attributes: { ...object(tags), ...values(measurements), ...object(trace['data']) },
    },
    ...list(spans).map((span) => ({
      id: String(span['span_id']),
      attributes: { ...object(span['tags']), ...values(span['measurements']), ...object(span['data']) },
    })),
  ];
};

const ofOtlp = (attributes: unknown): Fields =>
  Object.fromEntries(
    list(attributes).map(({ key, value }) => {
      const [kind, plain] = Object.entries(object(value))[0] ?? [];
      const array = list(object(plain)['values']).map((entry) => Object.values(entry)[0]);
      return [key as string, kind === 'arrayValue' ? array : plain];
    }),
  );

const sentByOtlp = (request: Fields): Sent[] =>
  list(request['resourceSpans']).flatMap(({ resource, scopeSpans }) =>
    list(scopeSpans).flatMap(({ spans }) =>
      list(spans).map(({ spanId, attributes }) => ({
        id: String(spanId),
        attributes: { ...ofOtlp(object(resource)['attributes']), ...ofOtlp(attributes) },
      })),
    ),
  );

function readCapture(file: string): Capture | undefined {
  const { name, path, headers, body } = readJson<Meta>(captures, file);
  const isOtlp = path.endsWith('/v1/traces');
  const holdsSpans = body?.envelopeItems?.some((type) => /^(?:span|transaction)\b/.test(type)) === true;
  if (!body || !(isOtlp || holdsSpans)) return undefined;
  const stored = readFileSync(join(captures, dirname(file), body.file));
  const bytes = stored[0] === 0x1f ? gunzipSync(stored) : stored;
  if (isOtlp) {
    const isJson = headers.some(([header, value]) => header === 'content-type' && value === 'application/json');
    const header = { form: isJson ? 'json' : 'protobuf', take: 3 };
    const item = { type: 'otlp_traces', header, payload: bytes };
    const { rows: { spans: rows = [] } = {} } = processItem(item, { ...context, receivedAt: 1_795_229_860_000 });
    const sent = isJson ? sentByOtlp(JSON.parse(bytes.toString()) as Fields) : [];
    return { name, sent, rows };
  }
  const { header, items } = parseEnvelope(bytes);
  const sentAt = Date.parse(String(header.sent_at));
  const sent: Sent[] = [];
  const rows: SpanRow[] = [];
  for (const item of items) {
    if (item.type !== 'span' && item.type !== 'transaction') continue;
    const result = processItem(item, {
      ...context,
      receivedAt: sentAt + 50,
      sentAt,
      envelopeEventId: parseEventId(header.event_id),
      trace: header.trace as Record<string, unknown>,
    });
    const payload = JSON.parse(Buffer.from(item.payload).toString()) as Fields;
    sent.push(...(item.type === 'span' ? sentByContainer(payload) : sentByTransaction(payload)));
    rows.push(...(result.rows?.spans ?? []));
  }
  return { name, sent, rows };
}

const all =
  captures === ''
    ? []
    : globSync('*/*.http.json', { cwd: captures })
        .toSorted()
        .flatMap((file) => readCapture(file) ?? []);

function lineOf(row: SpanRow): string {
  const { span_id, parent_span_id, segment_id, is_segment, op, kind, status, failed, origin } = row;
  return [
    span_id,
    parent_span_id || '-',
    is_segment ? 'segment' : segment_id || '-',
    `${row.started_at} +${row.duration_us} self ${row.exclusive_us}`,
    `${op} ${kind || '-'} ${status || '-'}${failed ? ' failed' : ''}`,
    row.description,
    `${row.transaction} (${row.transaction_source || '-'})`,
    `${origin || '-'} ${row.platform} ${row.sdk_name} ${row.sdk_version}`,
    `${row.environment} ${row.release} ${row.dist || '-'} ${row.service || '-'} ${row.user || '-'}`,
    `${Object.keys(row.attributes).length}+${Object.keys(row.numbers).length}`,
    row.remarks,
  ].join(' | ');
}

/** Names that these SDKs send and that are stored under another one. */
const stored: Readonly<Record<string, string>> = {
  'browser.web_vital.lcp.value': 'lcp',
  'browser.web_vital.cls.value': 'cls',
  'browser.web_vital.inp.value': 'inp',
  'browser.web_vital.fcp.value': 'fcp',
  'browser.web_vital.fp.value': 'fp',
  'browser.web_vital.ttfb.value': 'ttfb',
  'ttfb.requestTime': 'browser.web_vital.ttfb.request_time',
  'lcp.element': 'browser.web_vital.lcp.element',
  'lcp.size': 'browser.web_vital.lcp.size',
  'lcp.loadTime': 'browser.web_vital.lcp.load_time',
  'lcp.renderTime': 'browser.web_vital.lcp.render_time',
  'connection.rtt': 'network.connection.rtt',
  effectiveConnectionType: 'network.connection.effective_type',
  deviceMemory: 'device.memory.estimated_capacity',
  hardwareConcurrency: 'device.processor_count',
  'performance.timeOrigin': 'browser.performance.time_origin',
  'performance.activationStart': 'browser.performance.navigation.activation_start',
  'http.response_transfer_size': 'http.response.size',
  'http.response_content_length': 'http.response.body.size',
  'http.decoded_response_content_length': 'http.response.body.decoded_size',
  'url.same_origin': 'http.request.same_origin',
  'sentry.source': 'sentry.segment.name.source',
  'sentry.transaction': 'sentry.segment.name',
};

/** Values that are not stored as they were sent: numbers with their unit, and line breaks. */
const changed: Readonly<Record<string, (value: unknown) => unknown>> = {
  deviceMemory: (value) => Number.parseFloat(String(value)),
  hardwareConcurrency: Number,
  'os.version': (value) => String(value).trim(),
  'sentry.exclusive_time': (ms) => Number(ms) * 1000,
};

/** Says how the span was sent, not what it was. */
const leftOut = new Set(['sentry.trace_lifecycle']);

/** Are columns, with the value that the column has. */
const columns: Readonly<Record<string, keyof SpanRow>> = {
  'sentry.op': 'op',
  'sentry.origin': 'origin',
  'sentry.kind': 'kind',
  'sentry.segment.id': 'segment_id',
  'sentry.segment.name': 'transaction',
  'sentry.segment.name.source': 'transaction_source',
  'sentry.release': 'release',
  'sentry.environment': 'environment',
  'sentry.dist': 'dist',
  'sentry.sdk.name': 'sdk_name',
  'sentry.sdk.version': 'sdk_version',
  'sentry.exclusive_time': 'exclusive_us',
  'service.name': 'service',
};

/** What is not as it was sent, with the reason; empty for all that is. */
function whatIsLost({ name: capture, sent, rows }: Capture): string[] {
  return sent.flatMap(({ id, attributes }) => {
    const row = rows.find(({ span_id }) => span_id === id);
    if (!row) return [`${capture}: ${id} is not there`];
    return Object.entries(attributes).flatMap(([name, value]) => {
      if (leftOut.has(name)) return [];
      const wanted = stored[name] ?? name;
      const column = columns[wanted];
      const found = column ? row[column] : (row.numbers[wanted] ?? row.attributes[wanted]);
      // A header is sent as a list of one.
      const bare: unknown = Array.isArray(value) && value.length === 1 && name.includes('.header.') ? value[0] : value;
      const plain = changed[name]?.(bare) ?? bare;
      const expected = typeof plain === 'number' || typeof plain === 'string' ? plain : JSON.stringify(plain);
      return found === expected ? [] : [`${capture}: ${name} = ${expected} is ${String(found)}`];
    });
  });
}

describe.skipIf(captures === '')('all captured spans', () => {
  test('become the rows of captured-spans.txt', async () => {
    const text = all.map(({ name, rows }) => `${name}\n${rows.map((row) => `  ${lineOf(row)}\n`).join('')}`).join('\n');
    await expect(text).toMatchFileSnapshot('captured-spans.txt');
  });

  test('every span that was sent is one row', () => {
    for (const { name, sent, rows } of all) {
      if (sent.length > 0)
        expect(rows.map(({ span_id }) => span_id).toSorted(), name).toEqual(sent.map(({ id }) => id).toSorted());
    }
  });

  test('no attribute is lost', () => {
    const lost = all.flatMap((capture) => whatIsLost(capture));
    expect(lost).toEqual([]);
  });
});

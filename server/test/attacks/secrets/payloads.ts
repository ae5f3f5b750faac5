/** The largest payload of each type: each text that the product knows is there, mostly '', where a secret goes alone. */
import { deflateSync } from 'node:zlib';
import type { Event, Frame, Lock, Mechanism, Stacktrace } from '../../../src/process/steps/event.ts';
import {
  clientAddressNames,
  idNames,
  noColumns,
  numericNames,
  renamed,
} from '../../../src/process/steps/span/names.ts';
import { secretNames } from './forms.ts';

/** A field that is added to the type and not here does not compile. */
type Complete<T> = unknown extends T
  ? unknown
  : T extends string | number | boolean
    ? T
    : T extends readonly (infer Entry)[]
      ? Complete<Entry>[]
      : T extends object
        ? { [Name in keyof T]-?: Complete<Exclude<T[Name], undefined>> }
        : T;

type Json = Record<string, unknown>;

export interface Times {
  /** Seconds since the epoch. */
  readonly now: number;
  /** Which of the many names of attributes are there. */
  readonly round: number;
}

export interface Ids {
  readonly event: string;
  readonly trace: string;
  readonly span: string;
}

/** What clients fill freely. */
const bag = (): Json => ({
  text: '',
  nested: { list: ['', { text: '' }] },
  headers: [['X-Note', '']],
  ...Object.fromEntries(secretNames.map((name) => [name, ''])),
});

const lock = (): Complete<Lock> => ({ type: 1, address: '', package_name: '', class_name: '', thread_id: '' });

const frame = (): Complete<Frame> => ({
  function: '',
  raw_function: '',
  symbol: '',
  module: '',
  package: '',
  filename: '/srv/app.js',
  abs_path: 'https://shop.example/app.js',
  lineno: 1,
  colno: 2,
  in_app: true,
  context_line: '  go();',
  pre_context: ['  // before'],
  post_context: ['  // after'],
  platform: '',
  instruction_addr: '',
  symbol_addr: '',
  image_addr: '',
  addr_mode: '',
  trust: '',
  vars: bag(),
  native: true,
  lock: lock(),
  data: { sourcemap: '' },
});

const stacktrace = (): Complete<Stacktrace> => ({
  frames: [frame()],
  frames_omitted: [1, 2],
  snapshot: true,
  registers: { rip: '' },
});

const mechanism = (): Complete<Mechanism> => ({
  type: '',
  handled: false,
  synthetic: false,
  source: '',
  description: '',
  help_link: '',
  exception_id: 0,
  parent_id: 0,
  is_exception_group: false,
  data: bag(),
  meta: bag(),
});

const report = (): Json => ({
  document_uri: '',
  blocked_uri: '',
  referrer: '',
  effective_directive: 'script-src',
  violated_directive: 'script-src ',
  original_policy: '',
  source_file: '',
  script_sample: '',
  status: '',
  hostname: '',
  known_pins: [''],
  served_certificate_chain: [''],
});

function event({ now }: Times, { event: eventId, trace, span }: Ids): Complete<Event> {
  return {
    event_id: eventId,
    type: '',
    level: '',
    platform: '',
    timestamp: now,
    received: now,
    logger: '',
    release: '',
    dist: '',
    environment: '',
    server_name: '',
    transaction: '',
    transaction_info: { source: '' },
    fingerprint: [''],
    checksum: '',
    logentry: { message: '', formatted: '', params: [''] },
    exception: {
      values: [{ type: '', value: '', module: '', thread_id: '', mechanism: mechanism(), stacktrace: stacktrace() }],
    },
    threads: {
      values: [
        {
          id: '',
          name: '',
          state: '',
          daemon: true,
          priority: 5,
          held_locks: { '0x1': lock() },
          crashed: false,
          current: true,
          main: true,
          stacktrace: stacktrace(),
        },
      ],
    },
    stacktrace: stacktrace(),
    template: { filename: '', abs_path: '', lineno: 1, context_line: '' },
    csp: report(),
    hpkp: report(),
    expectct: report(),
    expectstaple: report(),
    breadcrumbs: {
      values: [{ timestamp: now, type: '', category: '', level: '', message: '', event_id: '', data: bag() }],
    },
    user: { id: '', username: '', email: '', ip_address: '', name: '', geo: { city: '' }, data: bag() },
    request: {
      method: '',
      url: 'https://shop.example/pay',
      query_string: [['a', '']],
      fragment: '',
      headers: [
        ['X-Note', ''],
        ['User-Agent', 'Mozilla/5.0'],
        ['Referer', ''],
      ],
      cookies: [['theme', '']],
      data: bag(),
      inferred_content_type: '',
      env: bag(),
    },
    contexts: {
      trace: { trace_id: trace, span_id: span, op: '', status: '', description: '', origin: '', data: bag() },
      browser: { name: '', version: '' },
      os: { name: '', version: '', kernel_version: '' },
      runtime: { name: '', version: '' },
      device: { family: '', model: '', brand: '' },
      app: { app_name: '' },
      own: bag(),
    },
    tags: [['place', '']],
    extra: bag(),
    modules: { pg: '' },
    sdk: {
      name: '',
      version: '',
      integrations: [''],
      packages: [{ name: '', version: '' }],
      settings: { infer_ip: '' },
      client_ip: '',
    },
    debug_meta: { images: [{ type: '', code_file: '', debug_id: '', code_id: '' }] },
    errors: [{ type: '', name: '', value: '' }],
    _meta: {},
  };
}

/** Each name that means something, in the form that is stored. */
const attributeNames = [
  ...new Set([
    ...Object.values(renamed),
    ...Object.keys(noColumns),
    ...numericNames,
    ...idNames,
    ...clientAddressNames,
  ]),
  'http.request.header.x-note',
  'http.request.header.cookie',
  'http.response.header.set-cookie',
  'http.request.body.data',
  'severity.text',
];

/** There are many, and few ways to treat them: each round has some. */
const rounds = 12;

const plainAttributes = (round: number): Json => ({
  ...Object.fromEntries(
    attributeNames.filter((_, index) => index % rounds === round % rounds).map((name) => [name, '']),
  ),
  ...Object.fromEntries(secretNames.map((name) => [name, ''])),
  'own.text': '',
  'own.list': [''],
  'own.object': { text: '' },
});

const typedAttributes = (round: number): Json =>
  Object.fromEntries(Object.entries(plainAttributes(round)).map(([name, value]) => [name, { value }]));

const link = ({ trace, span }: Ids, attributes: Json): Json => ({ trace_id: trace, span_id: span, attributes });

const oldSpan = (times: Times, ids: Ids): Json => ({
  trace_id: ids.trace,
  span_id: 'b0e6f15b45c36b12',
  parent_span_id: ids.span,
  start_timestamp: times.now - 1,
  timestamp: times.now,
  description: '',
  op: '',
  status: '',
  origin: '',
  data: plainAttributes(times.round),
  tags: { place: '' },
  links: [link(ids, bag())],
});

function transaction(times: Times, ids: Ids): Json {
  const { exception: _, threads: __, stacktrace: ___, ...surroundings } = event(times, ids);
  return {
    ...surroundings,
    event_id: ids.event,
    start_timestamp: times.now - 1,
    contexts: { ...surroundings.contexts, response: { text: '' }, otel: { resource: { 'own.text': '' } } },
    measurements: { lcp: { value: 1, unit: '' } },
    spans: [oldSpan(times, ids), { description: '', span_id: '' }],
  };
}

const spans = (times: Times, ids: Ids): Json => ({
  version: 2,
  items: [true, false]
    .map((isSegment) => ({
      trace_id: ids.trace,
      span_id: isSegment ? ids.span : 'b0e6f15b45c36b13',
      name: '',
      status: '',
      kind: '',
      is_segment: isSegment,
      start_timestamp: times.now - 1,
      end_timestamp: times.now,
      attributes: typedAttributes(times.round),
      links: [link(ids, { 'own.text': { value: '', type: '' } })],
    }))
    .concat({ name: '' } as never),
});

const logs = (times: Times, ids: Ids): Json => ({
  items: [
    { timestamp: times.now, trace_id: ids.trace, level: '', body: '', attributes: typedAttributes(times.round) },
    { timestamp: times.now, trace_id: '', span_id: '', level: 'info', body: bag(), attributes: {} },
    { text: '' },
  ],
});

const sender = (): Json => ({ release: '', environment: '', ip_address: '', user_agent: '' });

/** By the name of the type: JSON, texts, or bytes that are made of planted JSON. */
export interface Payload {
  readonly header?: Json;
  readonly value: unknown;
  readonly encode?: (planted: unknown) => Uint8Array;
}

const json = (value: unknown, header: Json = {}): Payload => ({ value, header });

export function payloads(times: Times, ids: Ids): Readonly<Record<string, Payload>> {
  const { now } = times;
  const iso = new Date(now * 1000).toISOString();
  const surroundings = {
    release: '',
    environment: '',
    platform: '',
    user: { id: '', email: '', name: '' },
    tags: { place: '' },
  };
  return {
    event: json(event(times, ids)),
    transaction: json(transaction(times, ids)),
    span: json(spans(times, ids), { content_type: 'application/vnd.sentry.items.span.v2+json', item_count: 2 }),
    otel_span: json({
      name: '',
      attributes: [
        { key: 'password', value: { stringValue: '' } },
        { key: 'note', value: { stringValue: '' } },
      ],
    }),
    log: json(logs(times, ids), { content_type: 'application/vnd.sentry.items.log+json', item_count: 2 }),
    trace_metric: json(
      {
        items: [
          { name: '', unit: '', type: '', value: 1, attributes: { 'own.text': { value: '', type: '', unit: '' } } },
        ],
      },
      { content_type: 'application/vnd.sentry.items.trace-metric+json', item_count: 1 },
    ),
    session: json({ sid: ids.event, did: '', init: true, started: iso, status: 'ok', errors: 0, attrs: sender() }),
    sessions: json({ aggregates: [{ started: iso, did: '', exited: 1 }], attrs: sender() }),
    client_report: json({ timestamp: now, discarded_events: [{ reason: '', category: '', quantity: 1 }] }),
    attachment: json('notes: ', {
      filename: 'notes.txt',
      content_type: 'text/plain',
      attachment_type: 'event.attachment',
      note: '',
    }),
    feedback: json({
      ...surroundings,
      timestamp: now,
      contexts: {
        feedback: { message: 'help', name: '', contact_email: '', url: '', source: '', associated_event_id: ids.event },
        browser: { name: '', version: '' },
        os: { name: '', version: '' },
      },
      request: { url: '', headers: { Referer: '' } },
    }),
    user_report: json({ event_id: ids.event, name: '', email: '', comments: 'help' }),
    check_in: json({
      ...surroundings,
      check_in_id: ids.event,
      monitor_slug: '',
      status: '',
      monitor_config: { schedule: { type: '', value: '' }, timezone: '' },
      contexts: { trace: { trace_id: ids.trace, op: '' } },
    }),
    replay_event: json({
      ...surroundings,
      replay_id: ids.event,
      urls: [''],
      error_ids: [''],
      trace_ids: [''],
      request: { url: '' },
    }),
    replay_recording: {
      value: { head: { segment_id: 0, note: '' }, events: [{ type: 3, data: { text: '', nested: bag() } }] },
      encode: (planted) => {
        const { head, events } = planted as { head: Json; events: unknown[] };
        return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), deflateSync(JSON.stringify(events))]);
      },
    },
    profile: json({
      ...surroundings,
      event_id: ids.event,
      device: { model: '', manufacturer: '' },
      os: { name: '', version: '' },
      transaction: { name: '', trace_id: ids.trace },
      profile: {
        frames: [{ function: '', filename: '', abs_path: '', module: '' }],
        thread_metadata: { 0: { name: '' } },
      },
    }),
    profile_chunk: json({
      ...surroundings,
      profile: { frames: [{ function: '', filename: '', module: '' }], thread_metadata: { 0: { name: '' } } },
    }),
    raw_security: json(
      {
        'csp-report': {
          'document-uri': '',
          'blocked-uri': '',
          referrer: '',
          'script-sample': '',
          'violated-directive': 'script-src',
        },
      },
      { sentry_release: '', sentry_environment: '' },
    ),
    security: json({
      type: 'csp-violation',
      url: '',
      body: { documentURL: '', blockedURL: '', sample: '', effectiveDirective: 'img-src' },
    }),
    nel: json({ type: 'network-error', url: '', body: { referrer: '', server_ip: '' } }),
    form_data: json([
      ['note', ''],
      ['password', ''],
    ]),
    statsd: json('requests@none:1|c|#place:'),
    metric_buckets: json([{ name: '', unit: '', tags: { place: '' }, value: [1] }]),
    metric_meta: json({ mapping: { 'c:requests': [{ filename: '', function: '', context_line: '' }] } }),
    hologram: json({ ...bag() }, { note: '' }),
  };
}

/** Those that cannot be read, and so are put aside with the reason. */
export const damaged: readonly (readonly [type: string, text: string])[] = [
  ['event', '{"message": '],
  ['transaction', 'no JSON, '],
  ['span', '["", '],
  ['session', '{"attrs": '],
  ['hologram', 'some text, '],
];

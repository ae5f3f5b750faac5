/** What is searched by name: of issues, of events, of spans. */
import type { IssueField, KeyPlace, KeyType, SearchKey } from './keys.ts';

type Row = readonly [name: string, type: KeyType, place: KeyPlace, values?: readonly string[]];

const column = (name: string, format?: 'id' | 'digest' | 'level'): KeyPlace => ({
  kind: 'column',
  column: name,
  ...(format && { format }),
});
const array = (name: string): KeyPlace => ({ kind: 'array', column: name });
const boolean = (name: string, inverse?: true): KeyPlace => ({
  kind: 'boolean',
  column: name,
  ...(inverse && { inverse }),
});
const path = (...names: string[]): KeyPlace => ({ kind: 'path', path: names });
const text = (tag: string): KeyPlace => ({ kind: 'tag', tag, as: 'text' });
const number = (tag: string): KeyPlace => ({ kind: 'tag', tag, as: 'number' });

const ages = ['-1h', '-24h', '-7d', '-14d', '+30d'];
const people = ['me', 'none', 'my_teams'];

const issueRows: readonly (readonly [string, KeyType, IssueField, (readonly string[])?])[] = [
  [
    'is',
    'choice',
    'is',
    [
      'unresolved',
      'resolved',
      'archived',
      'ignored',
      'muted',
      'new',
      'ongoing',
      'escalating',
      'regressed',
      'for_review',
      'assigned',
      'unassigned',
      'linked',
      'unlinked',
      'archived_until_escalating',
      'archived_until_condition_met',
      'archived_forever',
    ],
  ],
  ['age', 'date', 'first_seen', ages],
  ['firstSeen', 'date', 'first_seen', ages],
  ['lastSeen', 'date', 'last_seen', ages],
  ['timesSeen', 'integer', 'times_seen', ['>10', '>100', '>1k']],
  ['userCount', 'integer', 'user_count', ['>1', '>10', '>100']],
  ['users_seen', 'integer', 'user_count'],
  ['firstRelease', 'text', 'first_release', ['latest']],
  ['issue', 'text', 'short_id'],
  ['issue.id', 'number', 'id'],
  ['issue.type', 'text', 'type', ['error']],
  ['issue.category', 'text', 'category', ['error', 'performance']],
  ['issue.priority', 'text', 'priority', ['high', 'medium', 'low']],
  ['assigned', 'text', 'assigned', people],
  ['assigned_or_suggested', 'text', 'assigned_or_suggested', people],
  ['bookmarks', 'text', 'bookmarks', ['me']],
  ['subscribed', 'text', 'subscribed', ['me']],
];

/** Of events and spans alike. */
const sharedRows: readonly Row[] = [
  ['project', 'text', { kind: 'project', by: 'name' }],
  ['project.name', 'text', { kind: 'project', by: 'name' }],
  ['project.id', 'number', { kind: 'project', by: 'id' }],
  ['project_id', 'number', { kind: 'project', by: 'id' }],
  ['environment', 'text', column('environment')],
  ['platform', 'text', column('platform')],
  ['release', 'text', column('release'), ['latest']],
  ['release.version', 'version', { kind: 'release', part: 'version' }],
  ['release.package', 'text', { kind: 'release', part: 'package' }],
  ['release.build', 'text', { kind: 'release', part: 'build' }],
  ['dist', 'text', column('dist')],
  ['transaction', 'text', column('transaction')],
  ['message', 'text', { kind: 'message' }],
  ['user', 'text', { kind: 'user' }],
  ['sdk.name', 'text', column('sdk_name')],
  ['sdk.version', 'text', column('sdk_version')],
  ['trace', 'text', column('trace_id', 'id')],
];

const eventRows: readonly Row[] = [
  ['level', 'text', column('level', 'level'), ['fatal', 'error', 'warning', 'info', 'debug']],
  ['title', 'text', column('title')],
  ['culprit', 'text', column('culprit')],
  ['location', 'text', column('culprit')],
  ['event.type', 'text', path('type'), ['error', 'default', 'csp']],
  ['error.type', 'text', array('error_types')],
  ['error.value', 'text', array('error_values')],
  ['error.mechanism', 'text', array('error_mechanisms')],
  ['mechanism', 'text', column('mechanism')],
  ['error.handled', 'boolean', boolean('handled')],
  ['error.unhandled', 'boolean', boolean('handled', true)],
  ['error.main_thread', 'boolean', boolean('error_main_thread')],
  ['handled', 'text', { kind: 'handled-tag' }, ['yes', 'no']],
  ['stack.filename', 'text', array('stack_filenames')],
  ['stack.abs_path', 'text', array('stack_abs_paths')],
  ['stack.function', 'text', array('stack_functions')],
  ['stack.module', 'text', array('stack_modules')],
  ['stack.package', 'text', array('stack_packages')],
  ['stack.lineno', 'integer', array('stack_lines')],
  ['stack.colno', 'integer', array('stack_columns')],
  ['stack.in_app', 'boolean', array('stack_in_app')],
  ['logger', 'text', text('logger')],
  ['thread.name', 'text', path('contexts', 'trace', 'data', 'thread.name')],
  ['user.id', 'text', column('user_id')],
  ['user.email', 'text', column('user_email')],
  ['user.username', 'text', column('user_username')],
  ['user.ip', 'text', column('user_ip')],
  ['user.ip_address', 'text', column('user_ip')],
  ['geo.city', 'text', path('user', 'geo', 'city')],
  ['geo.country_code', 'text', path('user', 'geo', 'country_code')],
  ['geo.region', 'text', path('user', 'geo', 'region')],
  ['http.method', 'text', path('request', 'method')],
  ['http.url', 'text', text('url')],
  ['http.referer', 'text', { kind: 'header', header: 'referer' }],
  ['http.status_code', 'integer', path('contexts', 'response', 'status_code')],
  ['transaction.op', 'text', path('contexts', 'trace', 'op')],
  ['transaction.status', 'text', path('contexts', 'trace', 'status')],
  ['id', 'text', column('event_id', 'id')],
  ['event.id', 'text', column('event_id', 'id')],
  ['span', 'text', column('span_id', 'id')],
  ['digest', 'text', column('digest', 'digest')],
  ['timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }, ages],
  ['event.timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'hour' }],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'day' }],
];

const duration = (ofSegment?: true): KeyPlace => ({
  kind: 'number',
  column: 'duration_us',
  divisor: 1_000,
  ...(ofSegment && { ofSegment }),
});

/** Names of measurements that are durations in ms. */
const timings = [
  'lcp',
  'fcp',
  'fp',
  'inp',
  'fid',
  'ttfb',
  'ttfb.requesttime',
  'app_start_cold',
  'app_start_warm',
  'time_to_initial_display',
  'time_to_full_display',
  'stall_longest_time',
  'stall_total_time',
];

const spanRows: readonly Row[] = [
  ['span.op', 'text', column('op'), ['http.server', 'http.client', 'db', 'pageload', 'navigation']],
  ['span.description', 'text', column('name')],
  ['span.name', 'text', column('name')],
  ['span.group', 'text', column('description_hash')],
  ['span.duration', 'duration', duration(), ['>100ms', '>1s']],
  [
    'span.self_time',
    'duration',
    { kind: 'number', column: 'exclusive_us', divisor: 1_000, absent: -1 },
    ['>100ms', '>1s'],
  ],
  ['span.status', 'text', column('status'), ['ok', 'internal_error', 'not_found']],
  ['span.kind', 'text', column('kind'), ['server', 'client', 'producer', 'consumer', 'internal']],
  ['span.origin', 'text', column('origin')],
  ['span.system', 'text', text('db.system.name')],
  ['span.status_code', 'integer', number('http.response.status_code')],
  ['is_transaction', 'boolean', boolean('is_segment')],
  ['is_segment', 'boolean', boolean('is_segment')],
  ['failed', 'boolean', boolean('failed')],
  ['service', 'text', column('service')],
  ['transaction.op', 'text', { kind: 'column', column: 'op', ofSegment: true }],
  ['transaction.status', 'text', { kind: 'column', column: 'status', ofSegment: true }],
  ['transaction.duration', 'duration', duration(true), ['>100ms', '>1s']],
  ['id', 'text', column('span_id', 'id')],
  ['span_id', 'text', column('span_id', 'id')],
  ['parent_span', 'text', column('parent_span_id', 'id')],
  ['segment.id', 'text', column('segment_id', 'id')],
  ['timestamp', 'date', { kind: 'time', column: 'started_at', precision: 'us' }, ages],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'hour' }],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'day' }],
  ['user.id', 'text', text('user.id')],
  ['user.email', 'text', text('user.email')],
  ['user.username', 'text', text('user.name')],
  ['user.ip', 'text', text('user.ip_address')],
  ['http.method', 'text', text('http.request.method')],
  ['http.url', 'text', text('url.full')],
  ['http.status_code', 'integer', number('http.response.status_code')],
  ['http.response.status_code', 'integer', number('http.response.status_code')],
  ['http.request.body.size', 'size', number('http.request.body.size'), ['>100kb']],
  ['http.response.body.size', 'size', number('http.response.body.size'), ['>100kb']],
  ['http.response.size', 'size', number('http.response.size'), ['>100kb']],
  ['http.response_content_length', 'size', number('http.response.body.size')],
  ['http.response_transfer_size', 'size', number('http.response.size')],
  ['http.decoded_response_content_length', 'size', number('http.response.body.decoded_size')],
  ['messaging.message.body.size', 'size', number('messaging.message.body.size')],
  ['messaging.message.receive.latency', 'duration', number('messaging.message.receive.latency')],
  ['messaging.message.retry.count', 'number', number('messaging.message.retry.count')],
  ['gen_ai.usage.input_tokens', 'number', number('gen_ai.usage.input_tokens')],
  ['gen_ai.usage.output_tokens', 'number', number('gen_ai.usage.output_tokens')],
  ['gen_ai.usage.total_tokens', 'number', number('gen_ai.usage.total_tokens')],
  ['cls', 'number', number('cls'), ['>0.1']],
  ...timings.slice(0, 6).map((name): Row => [name, 'duration', number(name), ['>2.5s']]),
];

/** Of issues and the events of one alone; elsewhere that is better said than found out. */
const stageRows: readonly Row[] = [['release.stage', 'choice', { kind: 'nowhere' }, ['adopted', 'low', 'replaced']]];

const named = (rows: readonly Row[], scope: SearchKey['scope'] = 'row'): SearchKey[] =>
  rows.map(([name, type, place, values]) => ({
    name,
    type,
    scope,
    ...(values && { values }),
    sortable: place.kind !== 'array' && place.kind !== 'message' && place.kind !== 'project',
    ...(place.kind === 'release' && place.part === 'build' && { ordered: true }),
    place,
  }));

const issueKeys: readonly SearchKey[] = issueRows.map(([name, type, field, values]) => ({
  name,
  type,
  scope: 'issue',
  ...(values && { values }),
  place: { kind: 'issue', field },
}));
const eventKeys = [...named(eventRows), ...named(sharedRows)];

export const keyTable = {
  issues: [...issueKeys, ...eventKeys, ...named(stageRows)],
  events: [...issueKeys.filter(({ name }) => name === 'issue' || name === 'issue.id'), ...eventKeys],
  spans: [...named(spanRows), ...named(sharedRows)],
} as const;

export const nowhereKeys = named(stageRows);

/** `measurements.lcp` is the number `lcp`; those that are not known to be durations are plain numbers. */
export const measurement = (name: string, tag: string): SearchKey => ({
  name,
  type: timings.includes(tag) ? 'duration' : 'number',
  scope: 'row',
  sortable: true,
  place: number(tag === 'ttfb.requesttime' ? 'browser.web_vital.ttfb.request_time' : tag),
});

/** What is searched by name: of issues, of events, of spans. */
import type { IssueField, KeyPlace, KeyType, SearchKey } from './keys.ts';

type Row = readonly [name: string, type: KeyType, place: KeyPlace, description: string, values?: readonly string[]];

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

const issueRows: readonly (readonly [string, KeyType, IssueField, string, (readonly string[])?])[] = [
  [
    'is',
    'choice',
    'is',
    'State of the issue',
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
  ['age', 'date', 'first_seen', 'Since when the issue is known', ages],
  ['firstSeen', 'date', 'first_seen', 'First event of the issue', ages],
  ['lastSeen', 'date', 'last_seen', 'Last event of the issue', ages],
  ['timesSeen', 'integer', 'times_seen', 'Events over the life of the issue', ['>10', '>100', '>1k']],
  ['userCount', 'integer', 'user_count', 'Users over the life of the issue', ['>1', '>10', '>100']],
  ['users_seen', 'integer', 'user_count', 'As userCount'],
  ['firstRelease', 'text', 'first_release', 'Release of its first event', ['latest']],
  ['issue', 'text', 'short_id', 'Short id, such as WEB-1A'],
  ['issue.id', 'number', 'id', 'Number of the issue'],
  ['issue.type', 'text', 'type', 'Type of the issue', ['error']],
  ['issue.category', 'text', 'category', 'Errors or performance problems', ['error', 'performance']],
  ['issue.priority', 'text', 'priority', 'Priority', ['high', 'medium', 'low']],
  ['assigned', 'text', 'assigned', 'Who it is assigned to', people],
  ['assigned_or_suggested', 'text', 'assigned_or_suggested', 'Who it is or might be assigned to', people],
  ['bookmarks', 'text', 'bookmarks', 'Whose bookmark it is', ['me']],
  ['subscribed', 'text', 'subscribed', 'Who follows it', ['me']],
];

/** Of events and spans alike. */
const sharedRows: readonly Row[] = [
  ['project', 'text', { kind: 'project', by: 'name' }, 'Slug of the project'],
  ['project.name', 'text', { kind: 'project', by: 'name' }, 'As project'],
  ['project.id', 'number', { kind: 'project', by: 'id' }, 'Number of the project'],
  ['project_id', 'number', { kind: 'project', by: 'id' }, 'As project.id'],
  ['environment', 'text', column('environment'), 'Environment'],
  ['platform', 'text', column('platform'), 'Platform of the SDK'],
  ['release', 'text', column('release'), 'Release, as sent', ['latest']],
  ['release.version', 'version', { kind: 'release', part: 'version' }, 'Version of the release, in order: >1.2.3'],
  ['release.package', 'text', { kind: 'release', part: 'package' }, 'Package of the release, before the @'],
  ['release.build', 'text', { kind: 'release', part: 'build' }, 'Build of the release, after the +, in order: >123'],
  ['dist', 'text', column('dist'), 'Distribution of the release'],
  ['transaction', 'text', column('transaction'), 'Route or task'],
  ['message', 'text', { kind: 'message' }, 'Contains these words'],
  ['user', 'text', { kind: 'user' }, 'User by id, e-mail, name or address; user:id:7 by one of them'],
  ['sdk.name', 'text', column('sdk_name'), 'SDK'],
  ['sdk.version', 'text', column('sdk_version'), 'Version of the SDK'],
  ['trace', 'text', column('trace_id', 'id'), 'Trace id'],
];

const eventRows: readonly Row[] = [
  ['level', 'text', column('level', 'level'), 'Severity', ['fatal', 'error', 'warning', 'info', 'debug']],
  ['title', 'text', column('title'), 'Title'],
  ['culprit', 'text', column('culprit'), 'Where it happened'],
  ['location', 'text', column('culprit'), 'As culprit'],
  ['event.type', 'text', path('type'), 'Kind of event', ['error', 'default', 'csp']],
  ['error.type', 'text', array('error_types'), 'Class of any exception of the chain'],
  ['error.value', 'text', array('error_values'), 'Message of any exception of the chain'],
  ['error.mechanism', 'text', array('error_mechanisms'), 'What caught it'],
  ['mechanism', 'text', column('mechanism'), 'What caught the last exception'],
  ['error.handled', 'boolean', boolean('handled'), 'Caught by the application'],
  ['error.unhandled', 'boolean', boolean('handled', true), 'Not caught by the application'],
  ['error.main_thread', 'boolean', boolean('error_main_thread'), 'On the main thread'],
  ['handled', 'text', { kind: 'handled-tag' }, 'The same as a tag', ['yes', 'no']],
  ['stack.filename', 'text', array('stack_filenames'), 'File of any frame'],
  ['stack.abs_path', 'text', array('stack_abs_paths'), 'Full path of any frame'],
  ['stack.function', 'text', array('stack_functions'), 'Function of any frame'],
  ['stack.module', 'text', array('stack_modules'), 'Module of any frame'],
  ['stack.package', 'text', array('stack_packages'), 'Package of any frame'],
  ['stack.lineno', 'integer', array('stack_lines'), 'Line of any frame'],
  ['stack.colno', 'integer', array('stack_columns'), 'Column of any frame'],
  ['stack.in_app', 'boolean', array('stack_in_app'), 'A frame of own code, or of others'],
  ['user.id', 'text', column('user_id'), 'Id of the user'],
  ['user.email', 'text', column('user_email'), 'E-mail of the user'],
  ['user.username', 'text', column('user_username'), 'Name of the user'],
  ['user.ip', 'text', column('user_ip'), 'Address of the user'],
  ['user.ip_address', 'text', column('user_ip'), 'As user.ip'],
  ['geo.city', 'text', path('user', 'geo', 'city'), 'City of the user'],
  ['geo.country_code', 'text', path('user', 'geo', 'country_code'), 'Country of the user'],
  ['geo.region', 'text', path('user', 'geo', 'region'), 'Region of the user'],
  ['http.method', 'text', path('request', 'method'), 'Method of the request'],
  ['http.url', 'text', text('url'), 'Address of the request'],
  ['http.referer', 'text', { kind: 'header', header: 'referer' }, 'Where the request came from'],
  ['http.status_code', 'integer', path('contexts', 'response', 'status_code'), 'Status of the response'],
  ['transaction.op', 'text', path('contexts', 'trace', 'op'), 'Operation that it happened in'],
  ['transaction.status', 'text', path('contexts', 'trace', 'status'), 'Status of what it happened in'],
  ['id', 'text', column('event_id', 'id'), 'Event id'],
  ['event.id', 'text', column('event_id', 'id'), 'As id'],
  ['span', 'text', column('span_id', 'id'), 'Span id'],
  ['digest', 'text', column('digest', 'digest'), 'Digest of a Next.js error page'],
  ['timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }, 'When it happened', ages],
  ['event.timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }, 'As timestamp'],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'hour' }, 'By the hour'],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'day' }, 'By the day'],
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
  ['span.op', 'text', column('op'), 'Operation', ['http.server', 'http.client', 'db', 'pageload', 'navigation']],
  ['span.description', 'text', column('name'), 'What it did, as sent'],
  ['span.name', 'text', column('name'), 'As span.description'],
  ['span.group', 'text', column('description_hash'), 'Hash of the description without values'],
  ['span.duration', 'duration', duration(), 'How long it took', ['>100ms', '>1s']],
  [
    'span.self_time',
    'duration',
    { kind: 'number', column: 'exclusive_us', divisor: 1_000, absent: -1 },
    'How long it took without its children',
    ['>100ms', '>1s'],
  ],
  ['span.status', 'text', column('status'), 'ok, or how it failed', ['ok', 'internal_error', 'not_found']],
  ['span.kind', 'text', column('kind'), 'Side of the call', ['server', 'client', 'producer', 'consumer', 'internal']],
  ['span.origin', 'text', column('origin'), 'What made the span'],
  ['span.system', 'text', text('db.system.name'), 'Database system'],
  ['span.status_code', 'integer', number('http.response.status_code'), 'Status of the response'],
  ['is_transaction', 'boolean', boolean('is_segment'), 'Root span of a service'],
  ['is_segment', 'boolean', boolean('is_segment'), 'As is_transaction'],
  ['failed', 'boolean', boolean('failed'), 'Failed'],
  ['service', 'text', column('service'), 'Service'],
  ['transaction.op', 'text', { kind: 'column', column: 'op', ofSegment: true }, 'Operation of the transaction'],
  ['transaction.status', 'text', { kind: 'column', column: 'status', ofSegment: true }, 'Status of the transaction'],
  ['transaction.duration', 'duration', duration(true), 'How long the transaction took', ['>100ms', '>1s']],
  ['id', 'text', column('span_id', 'id'), 'Span id'],
  ['span_id', 'text', column('span_id', 'id'), 'As id'],
  ['parent_span', 'text', column('parent_span_id', 'id'), 'Span id of the parent'],
  ['segment.id', 'text', column('segment_id', 'id'), 'Span id of the transaction'],
  ['timestamp', 'date', { kind: 'time', column: 'started_at', precision: 'us' }, 'When it began', ages],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'hour' }, 'By the hour'],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'day' }, 'By the day'],
  ['user.id', 'text', text('user.id'), 'Id of the user'],
  ['user.email', 'text', text('user.email'), 'E-mail of the user'],
  ['user.username', 'text', text('user.name'), 'Name of the user'],
  ['user.ip', 'text', text('user.ip_address'), 'Address of the user'],
  ['http.method', 'text', text('http.request.method'), 'Method of the request'],
  ['http.url', 'text', text('url.full'), 'Address of the request'],
  ['http.status_code', 'integer', number('http.response.status_code'), 'Status of the response'],
  ['http.response.status_code', 'integer', number('http.response.status_code'), 'As http.status_code'],
  ['http.request.body.size', 'size', number('http.request.body.size'), 'Size of the request', ['>100kb']],
  ['http.response.body.size', 'size', number('http.response.body.size'), 'Size of the response', ['>100kb']],
  ['http.response.size', 'size', number('http.response.size'), 'Bytes that were transferred', ['>100kb']],
  ['http.response_content_length', 'size', number('http.response.body.size'), 'As http.response.body.size'],
  ['http.response_transfer_size', 'size', number('http.response.size'), 'As http.response.size'],
  ['http.decoded_response_content_length', 'size', number('http.response.body.decoded_size'), 'Size once unpacked'],
  ['messaging.message.body.size', 'size', number('messaging.message.body.size'), 'Size of the message'],
  ['gen_ai.usage.input_tokens', 'number', number('gen_ai.usage.input_tokens'), 'Tokens of the prompt'],
  ['gen_ai.usage.output_tokens', 'number', number('gen_ai.usage.output_tokens'), 'Tokens of the answer'],
  ['gen_ai.usage.total_tokens', 'number', number('gen_ai.usage.total_tokens'), 'Tokens of both'],
  ['cls', 'number', number('cls'), 'Cumulative layout shift', ['>0.1']],
  ...timings.slice(0, 6).map((name): Row => [name, 'duration', number(name), 'Web vital', ['>2.5s']]),
];

/** Of issues and the events of one alone; elsewhere that is better said than found out. */
const stageRows: readonly Row[] = [
  ['release.stage', 'choice', { kind: 'nowhere' }, 'Adoption of the release', ['adopted', 'low', 'replaced']],
];

const named = (rows: readonly Row[], scope: SearchKey['scope'] = 'row'): SearchKey[] =>
  rows.map(([name, type, place, description, values]) => ({
    name,
    type,
    scope,
    description,
    ...(values && { values }),
    sortable: place.kind !== 'array' && place.kind !== 'message' && place.kind !== 'project',
    ...(place.kind === 'release' && place.part === 'build' && { ordered: true }),
    place,
  }));

const issueKeys: readonly SearchKey[] = issueRows.map(([name, type, field, description, values]) => ({
  name,
  type,
  scope: 'issue',
  description,
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
  description: 'Measurement',
  sortable: true,
  place: number(tag === 'ttfb.requesttime' ? 'browser.web_vital.ttfb.request_time' : tag),
});

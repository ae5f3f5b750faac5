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
  ['age', 'date', 'first_seen', 'Age of the issue', ages],
  ['firstSeen', 'date', 'first_seen', 'First event of the issue', ages],
  ['lastSeen', 'date', 'last_seen', 'Last event of the issue', ages],
  ['timesSeen', 'integer', 'times_seen', 'Events over the life of the issue', ['>10', '>100', '>1k']],
  ['userCount', 'integer', 'user_count', 'Users over the life of the issue', ['>1', '>10', '>100']],
  ['users_seen', 'integer', 'user_count', 'Same as userCount'],
  ['firstRelease', 'text', 'first_release', 'Release of its first event', ['latest']],
  ['issue', 'text', 'short_id', 'Short ID, such as WEB-1A'],
  ['issue.id', 'number', 'id', 'Number of the issue'],
  ['issue.type', 'text', 'type', 'Type of the issue', ['error']],
  ['issue.category', 'text', 'category', 'Errors or performance issues', ['error', 'performance']],
  ['issue.priority', 'text', 'priority', 'Priority', ['high', 'medium', 'low']],
  ['assigned', 'text', 'assigned', 'Assignee', people],
  ['assigned_or_suggested', 'text', 'assigned_or_suggested', 'Assignee or suggested owner', people],
  ['bookmarks', 'text', 'bookmarks', 'Bookmarked by', ['me']],
  ['subscribed', 'text', 'subscribed', 'Subscribers', ['me']],
];

/** Of events and spans alike. */
const sharedRows: readonly Row[] = [
  ['project', 'text', { kind: 'project', by: 'name' }, 'Slug of the project'],
  ['project.name', 'text', { kind: 'project', by: 'name' }, 'Same as project'],
  ['project.id', 'number', { kind: 'project', by: 'id' }, 'Number of the project'],
  ['project_id', 'number', { kind: 'project', by: 'id' }, 'Same as project.id'],
  ['environment', 'text', column('environment'), 'Environment'],
  ['platform', 'text', column('platform'), 'Platform of the SDK'],
  ['release', 'text', column('release'), 'Release, as sent', ['latest']],
  ['release.version', 'version', { kind: 'release', part: 'version' }, 'Version of the release, ordered: >1.2.3'],
  ['release.package', 'text', { kind: 'release', part: 'package' }, 'Package of the release, before the @'],
  ['release.build', 'text', { kind: 'release', part: 'build' }, 'Build of the release, after the +, ordered: >123'],
  ['dist', 'text', column('dist'), 'Distribution of the release'],
  ['transaction', 'text', column('transaction'), 'Route or task'],
  ['message', 'text', { kind: 'message' }, 'Contains these words'],
  ['user', 'text', { kind: 'user' }, 'User by id, email, name or address; user:id:7 for one of them'],
  ['sdk.name', 'text', column('sdk_name'), 'SDK'],
  ['sdk.version', 'text', column('sdk_version'), 'Version of the SDK'],
  ['trace', 'text', column('trace_id', 'id'), 'Trace ID'],
];

const eventRows: readonly Row[] = [
  ['level', 'text', column('level', 'level'), 'Severity', ['fatal', 'error', 'warning', 'info', 'debug']],
  ['title', 'text', column('title'), 'Title'],
  ['culprit', 'text', column('culprit'), 'File or function of the error'],
  ['location', 'text', column('culprit'), 'Same as culprit'],
  ['event.type', 'text', path('type'), 'Kind of event', ['error', 'default', 'csp']],
  ['error.type', 'text', array('error_types'), 'Class of any exception in the chain'],
  ['error.value', 'text', array('error_values'), 'Message of any exception in the chain'],
  ['error.mechanism', 'text', array('error_mechanisms'), 'Mechanism that captured it'],
  ['mechanism', 'text', column('mechanism'), 'Mechanism that captured the last exception'],
  ['error.handled', 'boolean', boolean('handled'), 'Handled by the application'],
  ['error.unhandled', 'boolean', boolean('handled', true), 'Unhandled'],
  ['error.main_thread', 'boolean', boolean('error_main_thread'), 'On the main thread'],
  ['handled', 'text', { kind: 'handled-tag' }, 'Same as a tag', ['yes', 'no']],
  ['stack.filename', 'text', array('stack_filenames'), 'File of any frame'],
  ['stack.abs_path', 'text', array('stack_abs_paths'), 'Full path of any frame'],
  ['stack.function', 'text', array('stack_functions'), 'Function of any frame'],
  ['stack.module', 'text', array('stack_modules'), 'Module of any frame'],
  ['stack.package', 'text', array('stack_packages'), 'Package of any frame'],
  ['stack.lineno', 'integer', array('stack_lines'), 'Line of any frame'],
  ['stack.colno', 'integer', array('stack_columns'), 'Column of any frame'],
  ['stack.in_app', 'boolean', array('stack_in_app'), 'Frame of own code, or not'],
  ['user.id', 'text', column('user_id'), 'ID of the user'],
  ['user.email', 'text', column('user_email'), 'Email of the user'],
  ['user.username', 'text', column('user_username'), 'Name of the user'],
  ['user.ip', 'text', column('user_ip'), 'Address of the user'],
  ['user.ip_address', 'text', column('user_ip'), 'Same as user.ip'],
  ['geo.city', 'text', path('user', 'geo', 'city'), 'City of the user'],
  ['geo.country_code', 'text', path('user', 'geo', 'country_code'), 'Country of the user'],
  ['geo.region', 'text', path('user', 'geo', 'region'), 'Region of the user'],
  ['http.method', 'text', path('request', 'method'), 'Method of the request'],
  ['http.url', 'text', text('url'), 'Address of the request'],
  ['http.referer', 'text', { kind: 'header', header: 'referer' }, 'Referrer of the request'],
  ['http.status_code', 'integer', path('contexts', 'response', 'status_code'), 'Status of the response'],
  ['transaction.op', 'text', path('contexts', 'trace', 'op'), 'Operation of the span'],
  ['transaction.status', 'text', path('contexts', 'trace', 'status'), 'Status of the span'],
  ['id', 'text', column('event_id', 'id'), 'Event ID'],
  ['event.id', 'text', column('event_id', 'id'), 'Same as id'],
  ['span', 'text', column('span_id', 'id'), 'Span ID'],
  ['digest', 'text', column('digest', 'digest'), 'Digest of a Next.js error page'],
  ['timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }, 'Time of the event', ages],
  ['event.timestamp', 'date', { kind: 'time', column: 'timestamp', precision: 'ms' }, 'Same as timestamp'],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'hour' }, 'By hour'],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'timestamp', precision: 'ms', to: 'day' }, 'By day'],
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
  ['span.description', 'text', column('name'), 'Description as sent'],
  ['span.name', 'text', column('name'), 'Same as span.description'],
  ['span.group', 'text', column('description_hash'), 'Hash of the description without values'],
  ['span.duration', 'duration', duration(), 'Duration', ['>100ms', '>1s']],
  [
    'span.self_time',
    'duration',
    { kind: 'number', column: 'exclusive_us', divisor: 1_000, absent: -1 },
    'Self time: duration without children',
    ['>100ms', '>1s'],
  ],
  ['span.status', 'text', column('status'), 'ok, or the kind of failure', ['ok', 'internal_error', 'not_found']],
  ['span.kind', 'text', column('kind'), 'Side of the call', ['server', 'client', 'producer', 'consumer', 'internal']],
  ['span.origin', 'text', column('origin'), 'SDK or library that created the span'],
  ['span.system', 'text', text('db.system.name'), 'Database system'],
  ['span.status_code', 'integer', number('http.response.status_code'), 'Status of the response'],
  ['is_transaction', 'boolean', boolean('is_segment'), 'Root span of a service'],
  ['is_segment', 'boolean', boolean('is_segment'), 'As is_transaction'],
  ['failed', 'boolean', boolean('failed'), 'Failed'],
  ['service', 'text', column('service'), 'Service'],
  ['transaction.op', 'text', { kind: 'column', column: 'op', ofSegment: true }, 'Operation of the transaction'],
  ['transaction.status', 'text', { kind: 'column', column: 'status', ofSegment: true }, 'Status of the transaction'],
  ['transaction.duration', 'duration', duration(true), 'Duration of the transaction', ['>100ms', '>1s']],
  ['id', 'text', column('span_id', 'id'), 'Span ID'],
  ['span_id', 'text', column('span_id', 'id'), 'Same as id'],
  ['parent_span', 'text', column('parent_span_id', 'id'), 'Span ID of the parent'],
  ['segment.id', 'text', column('segment_id', 'id'), 'Span ID of the transaction'],
  ['timestamp', 'date', { kind: 'time', column: 'started_at', precision: 'us' }, 'Start', ages],
  ['timestamp.to_hour', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'hour' }, 'By hour'],
  ['timestamp.to_day', 'date', { kind: 'time', column: 'started_at', precision: 'us', to: 'day' }, 'By day'],
  ['user.id', 'text', text('user.id'), 'ID of the user'],
  ['user.email', 'text', text('user.email'), 'Email of the user'],
  ['user.username', 'text', text('user.name'), 'Name of the user'],
  ['user.ip', 'text', text('user.ip_address'), 'Address of the user'],
  ['http.method', 'text', text('http.request.method'), 'Method of the request'],
  ['http.url', 'text', text('url.full'), 'Address of the request'],
  ['http.status_code', 'integer', number('http.response.status_code'), 'Status of the response'],
  ['http.response.status_code', 'integer', number('http.response.status_code'), 'As http.status_code'],
  ['http.request.body.size', 'size', number('http.request.body.size'), 'Size of the request', ['>100kb']],
  ['http.response.body.size', 'size', number('http.response.body.size'), 'Size of the response', ['>100kb']],
  ['http.response.size', 'size', number('http.response.size'), 'Transferred bytes', ['>100kb']],
  ['http.response_content_length', 'size', number('http.response.body.size'), 'Same as http.response.body.size'],
  ['http.response_transfer_size', 'size', number('http.response.size'), 'Same as http.response.size'],
  ['http.decoded_response_content_length', 'size', number('http.response.body.decoded_size'), 'Decoded size'],
  ['messaging.message.body.size', 'size', number('messaging.message.body.size'), 'Size of the message'],
  ['gen_ai.usage.input_tokens', 'number', number('gen_ai.usage.input_tokens'), 'Input tokens'],
  ['gen_ai.usage.output_tokens', 'number', number('gen_ai.usage.output_tokens'), 'Output tokens'],
  ['gen_ai.usage.total_tokens', 'number', number('gen_ai.usage.total_tokens'), 'Total tokens'],
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

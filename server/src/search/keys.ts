/**
 * The keys of the issue search. One table says where each lives and what type it has; the parser takes the types from
 * it and the query builders the places. A name that is not here is a tag.
 */

/** Columns of the errors table that a key may name. */
export type EventColumn =
  | 'level'
  | 'platform'
  | 'environment'
  | 'release'
  | 'dist'
  | 'transaction'
  | 'title'
  | 'culprit'
  | 'message'
  | 'error_type'
  | 'error_value'
  | 'mechanism'
  | 'user_id'
  | 'user_email'
  | 'user_username'
  | 'user_ip'
  | 'digest'
  | 'trace_id'
  | 'span_id'
  | 'sdk_name'
  | 'sdk_version'
  | 'event_id';

export type IssueField =
  | 'is'
  | 'first_seen'
  | 'last_seen'
  | 'times_seen'
  | 'user_count'
  | 'first_release'
  | 'id'
  | 'short_id'
  | 'type'
  | 'category'
  | 'assigned';

/** How a value is spelled in the column: ids in lower case without hyphens, digests without what Next.js appends. */
type ColumnFormat = 'id' | 'digest';

export type SearchKey =
  | { readonly place: 'column'; readonly type: 'text'; readonly column: EventColumn; readonly format?: ColumnFormat }
  /** `value` is what `true` looks for in the nullable column. */
  | { readonly place: 'handled'; readonly type: 'boolean'; readonly value: 0 | 1 }
  /** The same as the tag that Sentry makes of it: yes or no. */
  | { readonly place: 'handled-tag'; readonly type: 'text' }
  | { readonly place: 'user'; readonly type: 'text' }
  | { readonly place: 'text'; readonly type: 'text' }
  | { readonly place: 'timestamp'; readonly type: 'date' }
  | { readonly place: 'project'; readonly type: 'text' }
  | { readonly place: 'tag'; readonly type: 'text'; readonly tag: string }
  | { readonly place: 'issue'; readonly type: 'is' | 'date' | 'number' | 'text'; readonly field: IssueField };

const column = (name: EventColumn, format?: ColumnFormat): SearchKey => ({
  place: 'column',
  type: 'text',
  column: name,
  ...(format && { format }),
});
const issue = (field: IssueField, type: 'is' | 'date' | 'number' | 'text'): SearchKey => ({
  place: 'issue',
  type,
  field,
});

export const searchKeys: ReadonlyMap<string, SearchKey> = new Map<string, SearchKey>([
  ['is', issue('is', 'is')],
  ['age', issue('first_seen', 'date')],
  ['firstSeen', issue('first_seen', 'date')],
  ['lastSeen', issue('last_seen', 'date')],
  ['timesSeen', issue('times_seen', 'number')],
  ['userCount', issue('user_count', 'number')],
  ['users_seen', issue('user_count', 'number')],
  ['firstRelease', issue('first_release', 'text')],
  ['issue', issue('short_id', 'text')],
  ['issue.id', issue('id', 'number')],
  ['issue.type', issue('type', 'text')],
  ['issue.category', issue('category', 'text')],
  ['assigned', issue('assigned', 'text')],
  ['project', { place: 'project', type: 'text' }],
  ['project.name', { place: 'project', type: 'text' }],
  ['level', column('level')],
  ['platform', column('platform')],
  ['environment', column('environment')],
  ['release', column('release')],
  ['dist', column('dist')],
  ['transaction', column('transaction')],
  ['title', column('title')],
  ['culprit', column('culprit')],
  ['message', { place: 'text', type: 'text' }],
  ['error.type', column('error_type')],
  ['error.value', column('error_value')],
  ['error.mechanism', column('mechanism')],
  ['mechanism', column('mechanism')],
  ['error.handled', { place: 'handled', type: 'boolean', value: 1 }],
  ['error.unhandled', { place: 'handled', type: 'boolean', value: 0 }],
  ['handled', { place: 'handled-tag', type: 'text' }],
  ['user', { place: 'user', type: 'text' }],
  ['user.id', column('user_id')],
  ['user.email', column('user_email')],
  ['user.username', column('user_username')],
  ['user.ip', column('user_ip')],
  ['user.ip_address', column('user_ip')],
  ['sdk.name', column('sdk_name')],
  ['sdk.version', column('sdk_version')],
  ['id', column('event_id', 'id')],
  ['event.id', column('event_id', 'id')],
  ['trace', column('trace_id', 'id')],
  ['span', column('span_id', 'id')],
  ['digest', column('digest', 'digest')],
  ['timestamp', { place: 'timestamp', type: 'date' }],
]);

/** Names that mean something which is not there yet; as tags they would quietly find nothing. */
const announced =
  /^(release\.(version|build|package|stage)|stack\..*|issue\.priority|assigned_or_suggested|bookmarks|subscribed|event\.type|error\.main_thread)$/;

export const isAnnounced = (name: string): boolean => announced.test(name);

/** The key of a name as written; `tags[x]` is the tag `x` even where `x` is a key of its own. */
export function findKey(name: string): SearchKey {
  const known = searchKeys.get(name);
  if (known) return known;
  const tag = /^tags\[(.+)\]$/.exec(name)?.[1] ?? name;
  return { place: 'tag', type: 'text', tag };
}

/** Values of `is:` with what they ask of an issue; `always` where nothing can be otherwise yet. */
export const isValues: ReadonlyMap<string, { status?: string; substatus?: string; always?: boolean }> = new Map([
  ['unresolved', { status: 'unresolved' }],
  ['resolved', { status: 'resolved' }],
  ['archived', { status: 'archived' }],
  ['ignored', { status: 'archived' }],
  ['muted', { status: 'archived' }],
  ['new', { substatus: 'new' }],
  ['ongoing', { substatus: 'ongoing' }],
  ['regressed', { substatus: 'regressed' }],
  ['for_review', { substatus: 'new' }],
  ['unassigned', { always: true }],
  ['assigned', { always: false }],
  ['unlinked', { always: true }],
  ['linked', { always: false }],
]);

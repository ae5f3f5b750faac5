/**
 * What of the state store is a project's, table by table: whose rows they are, and which of their columns name what has
 * another id where they go. What a table needs beyond that stands in the files beside this one.
 */

/** What rows refer to. */
export type Kind =
  | 'project'
  | 'organization'
  | 'issue'
  | 'user'
  | 'team'
  | 'release'
  | 'commit'
  | 'repository'
  | 'bundle'
  | 'tombstone'
  | 'signature';

export type Row = Record<string, unknown>;

/** New ids by those that they had. */
export type Ids = Record<Kind, Map<unknown, unknown>>;

export interface ProjectTable {
  readonly name: string;
  /** The column that says whose a row is. */
  readonly of: readonly [column: string, kind: Kind];
  /** Its ids are new, and others refer to them. */
  readonly ids?: Kind;
  /** Its ids are new, and nobody refers to them. */
  readonly hasOwnId?: true;
  /** Other columns; a row whose reference has nothing here does not come. */
  readonly refs?: Readonly<Record<string, Kind>>;
  /** The same, but they become null. */
  readonly optional?: Readonly<Record<string, Kind>>;
  /** One of a row of the same key is enough. */
  readonly orKnown?: true;
  /** As they are in work that nobody has claimed. */
  readonly isWork?: true;
  /** Undefined: it does not come. */
  readonly change?: (row: Row, ids: Ids) => Row | undefined;
}

const by = { user_id: 'user' } as const;

/** In the order in which they are written. The project itself and its keys are the first. */
export const projectTables: readonly ProjectTable[] = [
  { name: 'project_alias', of: ['project_id', 'project'], hasOwnId: true },
  {
    name: 'issue',
    of: ['project_id', 'project'],
    ids: 'issue',
    optional: { merged_into: 'issue', assignee_user_id: 'user', assignee_team_id: 'team' },
    change: changedIssue,
  },
  {
    name: 'issue_hash',
    of: ['project_id', 'project'],
    refs: { issue_id: 'issue' },
    optional: { merged_from: 'issue' },
  },
  {
    name: 'issue_activity',
    of: ['issue_id', 'issue'],
    hasOwnId: true,
    optional: by,
    change: changedActivity,
  },
  { name: 'twin', of: ['project_id', 'project'], optional: { issue_id: 'issue' } },
  {
    name: 'digest_watch',
    of: ['project_id', 'project'],
    hasOwnId: true,
    orKnown: true,
    refs: { ...by, organization_id: 'organization' },
    optional: { found_issue_id: 'issue' },
  },
  { name: 'issue_alias', of: ['project_id', 'project'], refs: { former_id: 'issue', issue_id: 'issue' } },
  { name: 'sampled_day', of: ['project_id', 'project'] },
  { name: 'issue_words', of: ['project_id', 'project'], refs: { issue_id: 'issue' } },
  {
    name: 'issue_merge',
    of: ['project_id', 'project'],
    refs: { child_id: 'issue', parent_id: 'issue' },
    optional: by,
  },
  { name: 'issue_own', of: ['issue_id', 'issue'] },
  { name: 'issue_apart', of: ['issue_id', 'issue'], refs: { other_id: 'issue' }, optional: by },
  { name: 'issue_commit', of: ['issue_id', 'issue'], refs: { commit_id: 'commit' } },
  { name: 'issue_bookmark', of: ['issue_id', 'issue'], refs: by },
  { name: 'issue_subscription', of: ['issue_id', 'issue'], refs: by },
  { name: 'issue_seen', of: ['issue_id', 'issue'], refs: by },
  {
    name: 'issue_limit',
    of: ['issue_id', 'issue'],
    refs: { project_id: 'project' },
    optional: { taken_from: 'issue' },
  },
  { name: 'issue_share', of: ['issue_id', 'issue'], optional: by, orKnown: true },
  { name: 'tombstone', of: ['project_id', 'project'], ids: 'tombstone', optional: by },
  { name: 'discarded_hash', of: ['project_id', 'project'], refs: { tombstone_id: 'tombstone' } },
  { name: 'hash_signature', of: ['project_id', 'project'], ids: 'signature' },
  { name: 'hash_band', of: ['signature_id', 'signature'] },
  { name: 'ownership', of: ['project_id', 'project'] },
  {
    name: 'codeowners',
    of: ['project_id', 'project'],
    hasOwnId: true,
    optional: { repository_id: 'repository' },
    change: (row, ids) => ({ ...row, names: changedNames(row['names'], ids) }),
  },
  { name: 'code_mapping', of: ['project_id', 'project'], hasOwnId: true, refs: { repository_id: 'repository' } },
  { name: 'release_project', of: ['project_id', 'project'], refs: { release_id: 'release' } },
  { name: 'release_environment', of: ['project_id', 'project'], refs: { release_id: 'release' } },
  { name: 'team_project', of: ['project_id', 'project'], refs: { team_id: 'team' } },
  { name: 'feedback', of: ['project_id', 'project'], hasOwnId: true },
  { name: 'name_overflow', of: ['project_id', 'project'] },
  { name: 'performance_suspect', of: ['project_id', 'project'], isWork: true },
  {
    name: 'symbolication_job',
    of: ['project_id', 'project'],
    hasOwnId: true,
    isWork: true,
    change: (row) => (row['finished_at'] === null ? { ...row, state: 'waiting' } : undefined),
  },
  { name: 'artifact_bundle_project', of: ['project_id', 'project'], refs: { bundle_id: 'bundle' } },
];

/** What is being deleted can be taken back until then, and so stays. */
function changedIssue(row: Row, ids: Ids): Row {
  const isDeleting = row['status'] === 'deleting';
  const { by: who, ...details } = jsonOf(row['status_details']) as { by?: string };
  const here = who === undefined ? undefined : ids.user.get(who);
  return {
    ...row,
    ...(isDeleting && { status: 'unresolved', substatus: 'ongoing' }),
    status_details: JSON.stringify({ ...details, ...(here !== undefined && { by: here }) }),
  };
}

interface ActivityData {
  readonly issues?: readonly { readonly id: string }[];
  readonly assignee?: string;
  readonly assigneeType?: string;
  readonly mentions?: readonly { readonly type: string; readonly id: string }[];
}

const idOf = (ids: Ids, kind: string, id: string): unknown =>
  kind === 'team' ? ids.team.get(Number(id)) : ids.user.get(id);

function changedActivity(row: Row, ids: Ids): Row {
  const data = jsonOf(row['data']) as ActivityData;
  const { issues, assignee, assigneeType = '', mentions } = data;
  if (!issues && assignee === undefined && !mentions) return row;
  const assigned = assignee === undefined ? undefined : idOf(ids, assigneeType, assignee);
  return {
    ...row,
    data: JSON.stringify({
      ...data,
      ...(issues && {
        issues: issues.flatMap((one) => {
          const id = ids.issue.get(Number(one.id));
          return id === undefined ? [] : [{ ...one, id: String(id) }];
        }),
      }),
      ...(assignee !== undefined && { assignee: assigned === undefined ? '' : String(assigned) }),
      ...(mentions && {
        mentions: mentions.flatMap((one) => {
          const id = idOf(ids, one.type, one.id);
          return id === undefined ? [] : [{ ...one, id: String(id) }];
        }),
      }),
    }),
  };
}

/** `user:ID` or `team:ID`; undefined where nobody here is that. */
export function changedActor(text: string, ids: Ids): string | undefined {
  const at = text.indexOf(':');
  const id = idOf(ids, text.slice(0, at), text.slice(at + 1));
  return id === undefined ? undefined : `${text.slice(0, at)}:${String(id)}`;
}

function changedNames(text: unknown, ids: Ids): string {
  const names = Object.entries(jsonOf(text) as Record<string, string>).flatMap(([name, who]) => {
    const here = changedActor(who, ids);
    return here === undefined ? [] : [[name, here] as const];
  });
  return JSON.stringify(Object.fromEntries(names));
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) ?? {};
  } catch {
    return {};
  }
}

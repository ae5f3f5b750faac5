/**
 * Tables of the state store as Kysely sees them; `migrations/` creates them on SQLite and PostgreSQL alike.
 * Times of our own tables are integers, ms since the epoch. JSON is text. Tables of better-auth keep its camelCase names.
 */
import type { Generated } from 'kysely';
import type { AccessTables } from './access-tables.ts';
import type { AccountTables } from './account-tables.ts';
import type { AlertTables } from './alert-tables.ts';
import type { AuditTables } from './audit-tables.ts';
import type { BackupTables } from './backup-tables.ts';
import type { CostTables } from './cost-tables.ts';
import type { SampledTables } from './sampled-tables.ts';
import type { DiskTables } from './disk-tables.ts';
import type { NodeTables } from './node-tables.ts';
import type { EraseTables } from './erase-tables.ts';
import type { ExploreTables } from './explore-tables.ts';
import type { FeedbackTables } from './feedback-tables.ts';
import type { IncomingTables } from './incoming-tables.ts';
import type { ImportTables } from './import-tables.ts';
import type { ClaimColumns, ClaimDefaults, JobTables } from './job-tables.ts';
import type { LimitTables } from './limit-tables.ts';
import type { MergeTables } from './merge-tables.ts';
import type { MirrorTables } from './mirror-tables.ts';
import type { NotifyTables } from './notify-tables.ts';
import type { OauthTables } from './oauth-tables.ts';
import type { ProviderTables } from './provider-tables.ts';
import type { QuotaTables } from './quota-tables.ts';
import type { ReleaseTables } from './release-tables.ts';
import type { RetentionTables } from './retention-tables.ts';
import type { ScimTables } from './scim-tables.ts';
import type { SearchTables } from './search-tables.ts';
import type { SlackTables } from './slack-tables.ts';
import type { WebhookTables } from './webhook-tables.ts';
import type { WorkTables } from './work-tables.ts';
import type { TeamTables } from './team-tables.ts';

/** A time in a table of better-auth: a Date on PostgreSQL, ISO text on SQLite. `new Date(value)` reads both. */
export type AuthTime = Date | string;

export interface UserTable {
  id: string;
  name: string;
  email: string;
  /** 1 or 0 on SQLite. */
  emailVerified: boolean | number;
  image: string | null;
  /** 1 or 0 on SQLite. */
  twoFactorEnabled: Generated<boolean | number | null>;
  createdAt: AuthTime;
  updatedAt: AuthTime;
}

/** How a user signs in; a password is one with the provider `credential`. */
export interface AccountTable {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  /** Salt and scrypt hash. */
  password: string | null;
  createdAt: AuthTime;
  updatedAt: AuthTime;
}

export interface SessionTable {
  id: string;
  userId: string;
  token: string;
  expiresAt: AuthTime;
  createdAt: AuthTime;
  updatedAt: AuthTime;
  ipAddress: string | null;
  userAgent: string | null;
  activeOrganizationId: string | null;
  /** `password`, `passkey`, `recovery` or `provider:<id>`; null on sessions of older versions: by password. */
  way: string | null;
  /** 1 or 0 on SQLite. */
  secondFactor: boolean | number | null;
}

export interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata: string | null;
  createdAt: AuthTime;
}

export interface MemberTable {
  id: string;
  organizationId: string;
  userId: string;
  /** One of the roles of accounts. */
  role: string;
  createdAt: AuthTime;
}

export interface ProjectTable {
  id: Generated<number>;
  organization_id: string;
  slug: string;
  name: string;
  /** What the project runs on, e.g. `javascript-react`, `node-express`; chooses the snippet. '' when not said. */
  platform: string;
  /** Before the number in short ids: `WEB` in `WEB-1`. Unique in the organisation. */
  short_id_prefix: string;
  /** The number that the next issue gets. */
  next_issue_number: Generated<number>;
  /** JSON of ProjectSettings. */
  settings: string;
  created_at: number;
  /** Time of the first event; null while waiting for it. */
  first_event_at: number | null;
  /** When the first span was stored; null while there is none. */
  first_span_at: number | null;
  /** Time of the newest event that an import brought; null while none did. Alerts count from there on. */
  imported_until: Generated<number | null>;
  /** Time of the newest error that stands for others; null while none does. */
  sampled_until: Generated<number | null>;
  /** When an error was first stored for others beyond the limit of its issue; null while none was. */
  limited_at: Generated<number | null>;
}

export interface ProjectKeyTable {
  id: Generated<number>;
  project_id: number;
  /** 32 hex digits, the part of the DSN that SDKs send. */
  public_key: string;
  label: string;
  /** 1 or 0: booleans of our own tables are numbers on both databases. */
  is_active: number;
  /** Items per window; null for no limit. */
  rate_limit_count: number | null;
  rate_limit_window_seconds: number | null;
  /** Null for no limit; 2 GiB unless given. */
  blob_bytes_per_day: Generated<number | null>;
  /** Days since the epoch; on which `blob_day_bytes` were taken. */
  blob_day: Generated<number>;
  blob_day_bytes: Generated<number>;
  created_at: number;
}

/** An id that the project had elsewhere: DSNs with it and a key of the project are the project's. */
export interface ProjectAliasTable {
  id: Generated<number>;
  project_id: number;
  /** 1 to 19 digits. */
  alias: string;
  created_at: number;
}

export interface ApiTokenTable {
  id: Generated<number>;
  organization_id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the token, hex. The token itself is shown once and never stored. */
  token_hash: string;
  /** Last four characters, to recognise it by. */
  token_hint: string;
  /** JSON array of scopes. */
  scopes: string;
  /** A user's own; one of the organisation that builds use; or a service account. */
  kind: Generated<'user' | 'organization' | 'service'>;
  created_at: number;
  last_used_at: number | null;
  /** Null: never. */
  expires_at: Generated<number | null>;
  /** The token that made it, and with which it ends; null for one made by a person. */
  parent_id: Generated<number | null>;
  /** Of a service account; null for others. */
  role: Generated<string | null>;
  /** Who made a service account, whose own user is `user_id`; null for others, and once they are gone. */
  maker_id: Generated<string | null>;
}

export type IssueStatus = 'unresolved' | 'resolved' | 'archived';

/**
 * Nobody sees a merged issue: lists go by the other statuses, and who asks for it by name gets the one that has its hashes.
 * One that is being deleted is not seen either, until that is done or taken back.
 */
export type StoredIssueStatus = IssueStatus | 'merged' | 'deleting';

export type Priority = 'high' | 'medium' | 'low';

export interface IssueTable {
  id: Generated<number>;
  project_id: number;
  /** With the project's prefix the short id. Unique in the project. */
  number: number;
  status: StoredIssueStatus;
  /** See `issues/states/machine.ts`; null for one that is resolved and no more is said. */
  substatus: string | null;
  /** JSON of `StatusDetails` in `issues/states/details.ts`. */
  status_details: Generated<string>;
  /** When time alone changes its status; null for never. */
  moves_at: Generated<number | null>;
  level: string;
  title: string;
  culprit: string;
  platform: string;
  /** error, default (message), csp, …, or a performance problem's: performance_slow_db_query, … */
  type: string;
  /** JSON: type, value, filename, function of the exception, for Sentry's `metadata`. */
  metadata: string;
  first_seen: number;
  last_seen: number;
  first_release: string | null;
  last_release: string | null;
  status_changed_at: number | null;
  created_at: number;
  /** The issue that has its hashes now; null unless it was merged. */
  merged_into: Generated<number | null>;
  /** A person or a team, or neither. */
  assignee_user_id: Generated<string | null>;
  assignee_team_id: Generated<number | null>;
  /** Null: as its level says. */
  priority: Generated<Priority | null>;
  /** 1 where somebody has set it, so that nothing else changes it. */
  priority_locked: Generated<number>;
}

/** A commit resolves an issue once, in however many releases it is. */
export interface IssueCommitTable {
  issue_id: number;
  commit_id: number;
  created_at: number;
}

export interface IssueHashTable {
  project_id: number;
  hash: string;
  issue_id: number;
  grouping_version: string;
  /** What decided: exception, stacktrace, threads, message, csp, fingerprint, fallback, … */
  basis: string;
  first_event_id: string;
  /** JSON of the explanation tree for this hash. */
  explanation: string;
  created_at: number;
  /** How it came to the issue: '' as the hash of an event, upgrade, merge, reprocessing. */
  via: Generated<string>;
  /** The issue to which it goes back when a merge is taken back; null where it belongs. */
  merged_from: Generated<number | null>;
  /** 1 once similar ones can be found by it. */
  signed: Generated<number>;
}

/** What happened to issues, in order of the ids; see `issues/activity.ts`. */
export interface IssueActivityTable {
  id: Generated<number>;
  issue_id: number;
  type: string;
  user_id: string | null;
  /** JSON, may be '{}'. */
  data: string;
  created_at: number;
}

/** What became of the browser's view of one failure on the server; kept for as long as its batch may be run again or its server event may come. */
export interface TwinTable {
  project_id: number;
  /** Digits; '' for none. */
  digest: string;
  /** 32 hex digits; '' for none. */
  trace_id: string;
  /** What its rows in the events store carry. */
  group_hash: string;
  /** Attached to the server's issue, waiting for its event, or apart for good because too many wait. */
  state: 'attached' | 'waiting' | 'apart';
  /** Where it waits or stays; null when attached. */
  issue_id: number | null;
  first_seen: number;
  last_seen: number;
  /** '' for none. */
  last_release: string;
  created_at: number;
}

/** A digest that a user waits for. One per user, organisation and digest. */
export interface DigestWatchTable {
  id: Generated<number>;
  organization_id: string;
  user_id: string;
  /** Null: any project of the organisation. */
  project_id: number | null;
  /** Digits. */
  digest: string;
  /** Where the screen was seen; null when not said. */
  host: string | null;
  created_at: number;
  expires_at: number;
  /** Null while waiting; then event and issue are set, too. */
  found_at: number | null;
  found_event_id: string | null;
  found_issue_id: number | null;
  /** 1 once the user has been told. */
  seen: number;
}

/** A piece of an upload, in the blob store under its checksum. */
export interface ArtifactChunkTable {
  organization_id: string;
  /** SHA-1, 40 hex digits. */
  checksum: string;
  size_bytes: number;
  /** When it was uploaded, or last named by a client that wants to use it. */
  touched_at: number;
}

/** A zip of scripts and source maps as a build uploaded it. One per organisation, content, release and dist. */
export interface ArtifactBundleTable extends ClaimDefaults {
  id: Generated<number>;
  organization_id: string;
  /** SHA-1 of the whole, 40 hex digits. */
  checksum: string;
  /** '' for none. */
  release: string;
  /** '' for none. */
  dist: string;
  /** debug: one debug file, a mapping of ProGuard or a bundle of sources. */
  kind: Generated<'scripts' | 'debug'>;
  /** Of a debug file, as its client calls it. */
  name: Generated<string>;
  /** That a debug file was uploaded for; '' where it says so itself. */
  debug_id: Generated<string>;
  /** created: all is there and waits; assembling: being verified and indexed; then ok or error, with the reason in `detail`. */
  state: 'created' | 'assembling' | 'ok' | 'error';
  detail: string;
  /** JSON array of checksums, in order. */
  chunks: string;
  size_bytes: number;
  file_count: number;
  /** What it was indexed with; an older one is indexed again. 0 before. */
  index_version: number;
  created_at: number;
  /** The last time that somebody uploaded it. */
  uploaded_at: number;
  indexed_at: number | null;
  last_used_at: number | null;
}

export interface ArtifactBundleProjectTable {
  bundle_id: number;
  project_id: number;
}

/** A script of a bundle with its map, a mapping of ProGuard, or the sources of a bundle. */
export interface ArtifactTable {
  id: Generated<number>;
  bundle_id: number;
  kind: Generated<'script' | 'mapping' | 'sources'>;
  /** As the bundle says, e.g. `~/assets/index.js`. */
  url: string;
  /** Lower-case UUID with hyphens; '' for none. */
  debug_id: string;
  /** '' for none. */
  map_url: string;
  script_bytes: number;
  map_bytes: number;
  sources: number;
  /** Blob key; '' where there is no usable map. */
  lookup_key: string;
  /** Why the map cannot be used, in words; '' for none. */
  problem: string;
  frames_resolved: number;
  last_used_at: number | null;
}

/** A lookup file in the blob store. */
export interface ArtifactLookupTable {
  key: string;
  /** 0 while it is being written. */
  size_bytes: number;
  sources: number;
  /** When it was written, or last taken for another artifact. */
  touched_at: number;
}

/** Events to symbolicate again, because what they waited for came or somebody asks. */
export interface SymbolicationJobTable extends ClaimColumns {
  id: Generated<number>;
  project_id: number;
  /** JSON of `Wanted` in `resymbolicate/jobs.ts`. */
  wanted: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** Events found, looked at, and changed. */
  total: number;
  done: number;
  mapped: number;
  /** What went wrong, or was left out, in words; '' for nothing. */
  detail: string;
  created_at: number;
  finished_at: number | null;
}

/** A segment of a trace that may have a performance problem; gone once it was examined. */
export interface PerformanceSuspectTable extends ClaimColumns {
  project_id: number;
  /** 32 hex digits. */
  trace_id: string;
  /** Span id of the segment; '' for spans whose segment was not known when they came. */
  segment_id: string;
  /** When one of its spans began. */
  at: number;
  noted_at: number;
  /** How often it was noted since: what comes while it is examined leads to another look. */
  pieces: number;
  detail: string;
}

/** An issue that was joined into another: its id and short id lead there. */
export interface IssueAliasTable {
  project_id: number;
  number: number;
  former_id: number;
  issue_id: number;
}

/**
 * - `offered`: only events without maps said them; the first issue whose events have maps is the same.
 * - `taken`: they belong to an issue whose events have maps; those without are the same.
 * - `shared`: several issues say the same, so they prove nothing.
 */
export type WordsState = 'offered' | 'taken' | 'shared';

/** Type and message of errors of built code, and whose they are; see `issues/record/words.ts`. */
export interface IssueWordsTable {
  project_id: number;
  /** 32 hex digits. */
  hash: string;
  issue_id: number;
  state: WordsState;
}

/** Small facts of the installation, JSON text by name. */
export interface SettingTable {
  name: string;
  value: string;
}

export interface StateSchema
  extends
    AccessTables,
    AccountTables,
    AlertTables,
    AuditTables,
    BackupTables,
    ProviderTables,
    ScimTables,
    QuotaTables,
    ReleaseTables,
    RetentionTables,
    CostTables,
    SampledTables,
    LimitTables,
    SearchTables,
    SlackTables,
    EraseTables,
    ExploreTables,
    MergeTables,
    MirrorTables,
    NotifyTables,
    OauthTables,
    TeamTables,
    WebhookTables,
    WorkTables,
    FeedbackTables,
    ImportTables,
    IncomingTables,
    JobTables,
    DiskTables,
    NodeTables {
  user: UserTable;
  account: AccountTable;
  session: SessionTable;
  organization: OrganizationTable;
  member: MemberTable;
  project: ProjectTable;
  project_key: ProjectKeyTable;
  project_alias: ProjectAliasTable;
  api_token: ApiTokenTable;
  issue: IssueTable;
  issue_hash: IssueHashTable;
  issue_commit: IssueCommitTable;
  issue_activity: IssueActivityTable;
  twin: TwinTable;
  digest_watch: DigestWatchTable;
  artifact_chunk: ArtifactChunkTable;
  artifact_bundle: ArtifactBundleTable;
  artifact_bundle_project: ArtifactBundleProjectTable;
  artifact: ArtifactTable;
  artifact_lookup: ArtifactLookupTable;
  symbolication_job: SymbolicationJobTable;
  issue_alias: IssueAliasTable;
  issue_words: IssueWordsTable;
  performance_suspect: PerformanceSuspectTable;
  setting: SettingTable;
}

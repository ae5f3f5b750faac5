/** Tables of releases, commits, deploys and repositories, as `migrations/0007-releases.ts` makes them. Times are ms since the epoch. */
import type { Generated } from 'kysely';

export interface RepositoryTable {
  id: Generated<number>;
  organization_id: string;
  /** As clients call it, such as `acme/shop`. Unique in the organisation. */
  name: string;
  provider: 'github' | 'gitlab' | 'bitbucket' | 'other';
  /** Of its page, without a trailing slash; '' for not known. */
  url: string;
  /** Of a source line, with {path} {line} {commit}; '' for the provider's own. */
  link_template: string;
  /** '' for not known. */
  default_branch: string;
  /** 1 when somebody set it up; 0 when commits only named it. */
  is_configured: number;
  created_at: number;
}

/** Where the files that frames name lie in a repository. */
export interface CodeMappingTable {
  id: Generated<number>;
  project_id: number;
  repository_id: number;
  /** Prefix of paths in frames; unique in the project. */
  stack_root: string;
  /** What stands in the repository instead. */
  source_root: string;
  /** '' for the repository's default. */
  branch: string;
  created_at: number;
}

export interface ReleaseTable {
  id: Generated<number>;
  organization_id: string;
  version: string;
  status: 'open' | 'archived';
  ref: string | null;
  url: string | null;
  date_started: number | null;
  date_released: number | null;
  /** `date_released`, else `created_at`: what lists are sorted by. */
  ordered_at: number;
  created_at: number;
  /** 1 once somebody who may said it: made, deployed, with commits or uploads. 0: events alone speak of it. */
  is_named: Generated<number>;
}

export interface ReleaseProjectTable {
  release_id: number;
  project_id: number;
  /** Null until the first event; then within a minute of the truth. */
  first_seen: number | null;
  last_seen: number | null;
  /** In how many minutes, by the server's clock, events carried it. */
  sightings: Generated<number>;
  /** When that was counted last, by the server's clock. */
  noted_at: Generated<number>;
}

export interface ReleaseEnvironmentTable {
  release_id: number;
  project_id: number;
  environment: string;
  first_seen: number;
  last_seen: number;
}

export interface CommitTable {
  id: Generated<number>;
  repository_id: number;
  sha: string;
  message: string;
  author_name: string;
  author_email: string;
  committed_at: number;
  created_at: number;
}

export interface CommitFileTable {
  commit_id: number;
  path: string;
  /** A added, M modified, D deleted. */
  type: string;
}

/** The commits of a release; position 0 is the newest. */
export interface ReleaseCommitTable {
  release_id: number;
  position: number;
  commit_id: number;
}

/** What of a repository is in a release. */
export interface ReleaseHeadTable {
  release_id: number;
  repository_id: number;
  sha: string;
  /** Of the release before, where the client said it. */
  previous_sha: string | null;
}

export interface DeployTable {
  id: Generated<number>;
  release_id: number;
  environment: string;
  name: string;
  url: string;
  date_started: number | null;
  date_finished: number;
  created_at: number;
}

/** Names that events carried on a day and that found no room in a list. */
export interface NameOverflowTable {
  project_id: number;
  kind: 'release' | 'environment';
  /** Its beginning in UTC. */
  day: number;
  /** How often one was left out. */
  names: number;
}

export interface ReleaseTables {
  name_overflow: NameOverflowTable;
  repository: RepositoryTable;
  code_mapping: CodeMappingTable;
  release: ReleaseTable;
  release_project: ReleaseProjectTable;
  release_environment: ReleaseEnvironmentTable;
  commit: CommitTable;
  commit_file: CommitFileTable;
  release_commit: ReleaseCommitTable;
  release_head: ReleaseHeadTable;
  deploy: DeployTable;
}

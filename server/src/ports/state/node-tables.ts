/** What several nodes tell each other and count together. Times are ms since the epoch. */

export interface NodeTable {
  id: string;
  /** Separated by commas. */
  roles: string;
  version: string;
  /** Host and port that it listens on. */
  address: string;
  started_at: number;
  seen_at: number;
  /** JSON; `domains/nodes` says of what. */
  report: string;
}

/** The window of a rate limit that is under way, or was the last. */
export interface RateWindowTable {
  key_id: number;
  category: string;
  ends_at: number;
  /** Items that nodes have taken for themselves. */
  taken: number;
}

export interface SignInAttemptTable {
  kind: string;
  key_hash: string;
  wrong: number;
  since: number;
  last_at: number;
}

/** A preview that a node runs, or has run. */
export interface PreviewTable {
  id: string;
  kind: 'grouping' | 'alerts';
  /** Who may see it: a project, or an organisation. */
  scope: string;
  /** JSON: what was known when it was started. */
  about: string;
  status: 'running' | 'done' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** '' or what went wrong. */
  detail: string;
  /** JSON, once it is done. */
  result: string | null;
  /** Which runs it. */
  node: string;
  asked_at: number;
  /** When the node last told of it. */
  told_at: number;
}

export interface NodeTables {
  preview: PreviewTable;
  node: NodeTable;
  rate_window: RateWindowTable;
  sign_in_attempt: SignInAttemptTable;
}

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

export interface NodeTables {
  node: NodeTable;
  rate_window: RateWindowTable;
  sign_in_attempt: SignInAttemptTable;
}

/** A piece of background work, as its domain describes it and the runner in `jobs/` runs it. */
import type { Alarm } from './alarm.ts';

export interface Job {
  /** In kebab case: what the health page, `culprit doctor` and the table of jobs call it. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly title: string;
  /**
   * `one`: one node at a time runs it, whichever has claimed it. `each`: every node does; what it works on is claimed row by
   * row, is this node's own, or may be done twice.
   */
  readonly nodes: 'one' | 'each';
  /** Between two runs where neither the last run nor the alarm says that it is due sooner, ms. */
  readonly everyMs: number;
  /** From the start to the first run, ms; 0 unless told. */
  readonly firstMs?: number;
  /** It begins when the events store is there. */
  readonly needsEvents?: boolean;
  /** Rings when there is something to do. */
  readonly alarm?: Alarm;
  /** What is said in the log when a run fails. */
  readonly failed: string;
  /** One run. Returns when the next is due, ms since the epoch, where that is sooner than usual. */
  run(context: JobContext): Promise<number | void>;
  /** What waits and what is under way, where it works on rows. */
  count?(): Promise<JobCounts>;
  /** Once the last run is over: ends what runs have left under way. */
  close?(): Promise<void>;
}

/** Who claims work. */
export interface Claimer {
  /** Different for each node, the same after a restart. */
  readonly node: string;
  /** How long it may be silent before another takes over what it has claimed, ms. */
  readonly leaseMs: number;
}

export interface JobContext extends Claimer {
  /** The first run since the start, or since this node took the job over: what it remembers of earlier runs may be old. */
  readonly isFresh: boolean;
  /** Aborted when the server stops, and when another node has taken the job over. */
  readonly signal: AbortSignal;
}

export interface JobCounts {
  readonly waiting: number;
  readonly running: number;
}

/** How a job is doing on this node. Times are ms since the epoch. */
export interface JobStatus {
  /** `elsewhere`: another node has claimed it. */
  readonly state: 'waiting' | 'running' | 'elsewhere';
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  readonly dueAt: number | null;
  /** Runs in a row that failed. */
  readonly attempts: number;
  /** Why the last one that failed did; '' for none. It stays when the next one succeeds. */
  readonly failure: string;
  readonly failedAt: number | null;
}

/**
 * The port of the event index: for each row of `errors` that this machine has where its payload lies, by the event's id,
 * and which events there are of a group hash, of a digest, in the order of their time, and of a trace. Performance problems are not in it: their
 * payloads lie in their rows, and issues of theirs have no other events. It is never the only truth: the engine is. What it
 * does not know is asked of the engine, so it may lack anything, and must not say what is not so.
 */
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { Place } from '../payloads/payloads.ts';
import { richnessOf } from './richness.ts';

/** Hex digits of the end of an id that stands for it: whoever reads the event sees whose it is. */
export const endDigits = 14;

/** What is kept of a row. */
export interface IndexedEvent {
  readonly projectId: number;
  /** 32 hex digits. */
  readonly hash: string;
  /** Its time, ms since the epoch. */
  readonly at: number;
  /** 32 hex digits. */
  readonly id: string;
  /** Below 254. */
  readonly richness: number;
  /** Of segment 0 where it is not known, or the row has the payload. */
  readonly place: Place;
  /** '' for none. */
  readonly digest: string;
  /** 32 hex digits or ''. */
  readonly traceId: string;
}

export const toIndexed = (row: ErrorRow): IndexedEvent => ({
  projectId: row.project_id,
  hash: row.group_hash,
  at: row.timestamp,
  id: row.event_id,
  richness: richnessOf(row),
  place: { segment: row.payload_segment ?? 0, ordinal: row.payload_ordinal ?? 0 },
  digest: row.digest,
  traceId: row.trace_id,
});

/** The hashes of an issue. */
export interface Groups {
  readonly projectId: number;
  readonly hashes: readonly string[];
}

export interface GroupEvent extends Pick<IndexedEvent, 'hash' | 'at' | 'id' | 'richness'> {}

/** Where an event stands among others, by time, those of one millisecond by id. */
export interface Standing {
  readonly total: number;
  readonly before: number;
  /** Ids of its neighbours. */
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** An event that has a digest, or another one of the same hash: whoever reads it finds out. */
export interface DigestEvent extends Pick<IndexedEvent, 'projectId' | 'hash' | 'at' | 'traceId'> {
  /** The second half of its id. */
  readonly idEnd: string;
}

export interface DigestEvents {
  /** The newest first, as many as were asked for. */
  readonly events: readonly DigestEvent[];
  /** The groups of all of them. */
  readonly groups: readonly Pick<DigestEvent, 'projectId' | 'hash'>[];
}

export interface DigestScope {
  readonly projectIds: readonly number[];
  /** Times of events, ms since the epoch; what begins at `until` is not in it. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Both ends belong to it, ms since the epoch. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

export interface EventIndex extends AsyncDisposable {
  /** Of entries as `EntryList` makes them, again without effect. Never throws: what it cannot keep, it loses and says so. */
  add(entries: Uint8Array): Promise<void>;
  /** Something is stored that it cannot have: from now on the engine is asked about groups, until it was filled anew. */
  lose(): Promise<void>;

  /** Where the payload of an event with the id, or this end of one, may lie, nearly always one place. Whoever reads it finds out whether it is that. */
  placesOf(id: string): readonly Place[];
  /** The newest events of the groups, that first; undefined where the engine is to be asked. */
  newest(groups: Groups, limit: number): readonly GroupEvent[] | undefined;
  oldest(groups: Groups, limit: number): readonly GroupEvent[] | undefined;
  /**
   * The events with the digest; undefined where the engine is to be asked. All there are but for what is being stored;
   * where `isSure` says no they may be gone.
   */
  withDigest(digest: string, scope: DigestScope, limit: number): DigestEvents | undefined;
  /**
   * Ends of the ids (`endDigits`) of the events of a trace, and of others of its hash, in the weeks of the times; undefined where the engine is
   * to be asked: always of more than `most`. All there are but for what is being stored; some may be gone.
   */
  withTrace(traceId: string, times: TimeSpan, most: number): readonly string[] | undefined;
  /** Whether an event of the projects since then (ms since the epoch) has a digest; undefined where the engine is to be asked. */
  anyDigest(projectIds: readonly number[], since: number): boolean | undefined;
  /** Undefined where the engine is to be asked: always of an event that is not among them, though somebody has just read it. */
  standing(groups: Groups, event: Pick<IndexedEvent, 'at' | 'id'>): Standing | undefined;

  /**
   * Before the rows are deleted. What is stored of the hashes at the same moment may or may not be there afterwards, so
   * about those the engine is asked from then on.
   */
  forget(projectId: number, hashes?: readonly string[]): Promise<void>;
  /** What they have in the week of `at`, in which the project keeps nothing any more. The rest is as sure as it was. */
  forgetWeek(at: number, projectId: number, hashes: readonly string[]): Promise<void>;
  /** In these projects events were symbolicated again after they were stored; the engine has what became of them. */
  noteRevised(projectIds: readonly number[]): void;
  /** True of every project until it was told which. */
  mayBeRevised(projectId: number): boolean;

  /** False of what was forgotten. */
  isSure(projectId: number, hash: string): boolean;
  /** Days that rows are kept: weeks that are wholly older are not there any more. */
  keep(days: number): void;
  dropBefore(at: number): Promise<void>;

  /** Weeks that went quiet and take more room than they need; by their number. */
  weeksToPack(): readonly number[];
  /** Writes one anew, a slice at a time. `pause`: between two; told how long the last took, says whether to go on. */
  pack(week: number, pause: (tookMs: number) => Promise<boolean>): Promise<void>;
  /** Gives back to the disk what dropped weeks and deletions have left free, where that is worth it; resolves to bytes. */
  shrink(): Promise<number>;
  /** Of its file, in no use, about. */
  spareBytes(): number;

  readonly filling: Filling;
}

/** What it knows of its own gaps. Weeks are those of the engine: their Monday, YYYYMMDD. */
export interface Filling {
  /** Whether it has every row but for those that are being stored. */
  isComplete(): boolean;
  noteComplete(): Promise<void>;
  isFilled(week: string): boolean;
  noteFilled(week: string): Promise<void>;
  /** Places in the week were changed: it is to be filled again. */
  again(week: string): Promise<void>;
  weeksAgain(): readonly string[];
}

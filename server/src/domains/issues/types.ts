/** Shapes that the queries and commands of issues take and give. Times are ms since the epoch. */
import type { Events } from '../../ports/events/events.ts';
import type { TimeRange } from '../../base/time-range.ts';
import type { IssueStatus, Priority } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import type { CountEstimate } from '../search/index.ts';
import type { KnownAnswers } from './queries/known.ts';
import type { UserSet } from './queries/users/user-set.ts';
import type { Reduced } from './queries/tree.ts';
import type { StatusDetails } from './states/details.ts';

export interface IssueStores {
  readonly state: State;
  readonly events: Events;
  /** What was asked of the events store lately; without it everything is asked anew. */
  readonly known?: KnownAnswers | undefined;
}

/** A project that the caller may see. */
export interface VisibleProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly platform: string;
  readonly shortIdPrefix: string;
  /** Time of the newest error that stands for others; none while no storm was. */
  readonly sampledUntil?: number | null | undefined;
}

export interface IssueRow {
  readonly id: number;
  readonly projectId: number;
  readonly number: number;
  readonly status: IssueStatus;
  readonly substatus: string | null;
  readonly level: string;
  readonly title: string;
  readonly culprit: string;
  readonly platform: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  readonly statusChangedAt: number | null;
  readonly statusDetails: StatusDetails;
  /** A person or a team, or neither. */
  readonly assigneeUserId: string | null;
  readonly assigneeTeamId: number | null;
  readonly priority: Priority;
}

export interface Counters {
  readonly count: number;
  readonly userCount: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export type LifeCounts = Pick<Counters, 'count' | 'userCount'>;

/** What a row of a list shows; when an issue was first seen its own row says. */
type ListedCounters = Omit<Counters, 'firstSeen'>;

/** Over all that is stored of an issue. */
export type Life = ListedCounters;

/** Counts within a filter, its environments and its range; and over all that is stored. */
export interface IssueNumbers extends ListedCounters {
  /** Events in the second half of the range; 0 where the order does not need it. */
  readonly recent: number;
  /** Events by index of the bucket. */
  readonly series: ReadonlyMap<number, number>;
  readonly lifetime: Life;
  /** Whether any event within the filter was unhandled. */
  readonly unhandled: boolean;
  /** The users that were counted, within the filter and of all; where they are told apart. */
  readonly users?: { readonly ranged: UserSet | undefined; readonly lifetime: UserSet | undefined };
}

export interface ListedIssue extends IssueRow {
  readonly numbers: IssueNumbers;
  /** Of the count; undefined where that is right to 1 %. */
  readonly estimate?: CountEstimate | undefined;
}

/** Last event, first event, events, users; `trends`: how much more in the second half of the range (halves.ts). */
export type IssueSort = 'date' | 'new' | 'freq' | 'user' | 'trends';

/** As in Sentry's Link headers, `value:offset:isPrevious`. */
export interface Cursor {
  readonly value: number;
  readonly offset: number;
  readonly previous: boolean;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Undefined when there is nothing further that way. */
  readonly next: Cursor | undefined;
  readonly previous: Cursor | undefined;
}

export interface IssueFilter {
  readonly projects: readonly VisibleProject[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly range: TimeRange;
  /** The search, of the data set of issues; undefined for everything. */
  readonly root: Reduced | undefined;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface IssueListRequest extends IssueFilter {
  readonly sort: IssueSort;
  /** What the series covers; the range unless told. */
  readonly seriesRange?: TimeRange | undefined;
  readonly cursor?: Cursor | undefined;
  readonly limit: number;
}

/** What the page Now is told. Times are ms since the epoch. */
import type { IssueStores, ListedIssue, VisibleProject } from '../issues/index.ts';
import type { RaisedRule } from '../alerts/index.ts';
import type { CountEstimate } from '../search/index.ts';
import type { IntakeTrouble } from '../outcomes/index.ts';
import type { LatestChange } from '../releases/index.ts';
import type { TimeRange } from '../../base/time-range.ts';
import type { ComparedSeries } from '../traces/index.ts';

export interface NowRequest {
  readonly projects: readonly VisibleProject[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly nowMs: number;
}

export type NowStores = IssueStores;

/** A day in buckets, and the day before it bucket for bucket. */
export interface ErrorSeries {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly errors: readonly number[];
  readonly errorsBefore: readonly number[];
  /** Of the errors of the day; undefined where their sum is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  readonly users: readonly number[];
  readonly usersBefore: readonly number[];
  /** Distinct over each day: buckets do not add up. */
  readonly usersOfDay: number;
  readonly usersOfDayBefore: number;
}

/** Where errors are more than usual: the last hour beside the mean hour of the week before. */
export interface Hotspot {
  readonly projectId: number;
  /** '' for all of the project. */
  readonly transaction: string;
  readonly count: number;
  /** Undefined where the count is right to 1 %. */
  readonly estimate?: CountEstimate | undefined;
  readonly usual: number;
}

/** Of unresolved issues that had an event within the filter. */
export interface IssueCounts {
  /** First seen within a day. */
  readonly fresh: number;
  readonly regressed: number;
  readonly escalating: number;
  /** First seen since the last change. */
  readonly sinceChange: number;
  /** There are so many that not all were counted. */
  readonly more: boolean;
}

/** Sessions of this day and the one before. */
export interface SessionHealth {
  readonly count: number;
  readonly countBefore: number;
  /** From 0 to 1; undefined where there was no session. */
  readonly crashFree: number | undefined;
  readonly crashFreeBefore: number | undefined;
}

export interface Facts {
  readonly nowMs: number;
  /** Whether anything was ever stored. */
  readonly begun: boolean;
  readonly change: LatestChange | undefined;
  readonly counts: IssueCounts;
  readonly errorsLastHour: number;
  readonly usualPerHour: number;
  readonly hotspots: readonly Hotspot[];
  readonly intake: readonly IntakeTrouble[];
  /** Metric alerts that are raised now. */
  readonly alerts: readonly Pick<RaisedRule, 'name' | 'state'>[];
  readonly sessions: SessionHealth;
}

/** `trouble`: act now; `attention`: look when you can; `calm`: nothing; `empty`: nothing was ever received. */
export type Level = 'trouble' | 'attention' | 'calm' | 'empty';

/** A stretch of the sentence, with what it leads to. */
export interface Part {
  readonly text: string;
  readonly link?:
    | { readonly kind: 'issues'; readonly query: string }
    | { readonly kind: 'transaction'; readonly transaction: string; readonly projectId: number }
    | { readonly kind: 'release'; readonly version: string }
    | { readonly kind: 'health' }
    | { readonly kind: 'releases' }
    | { readonly kind: 'alerts' };
  /** The text is how long ago this was: who draws it keeps it right. */
  readonly at?: number;
}

export interface Verdict {
  readonly level: Level;
  readonly parts: readonly Part[];
}

export interface Now extends Facts {
  readonly verdict: Verdict;
  readonly series: ErrorSeries;
  /** Of all transactions, in the same buckets. */
  readonly transactions: ComparedSeries;
  /** What the numbers and series of the issues are about. */
  readonly issuesRange: TimeRange;
  /** New, regressed and escalating ones, newest first. */
  readonly issues: readonly ListedIssue[];
}

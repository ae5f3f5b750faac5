/** What trackers have, in one form for all of them. Times are ms since the epoch. */
import type { Condition } from '../alerts/index.ts';
import type { ReportedCommit } from '../releases/index.ts';

export const trackers = ['sentry', 'glitchtip', 'bugsink', 'urgentry'] as const;
export type Tracker = (typeof trackers)[number];

export const isTracker = (text: string | undefined): text is Tracker => trackers.some((tracker) => tracker === text);

export interface OrganizationRecord {
  readonly slug: string;
  readonly name: string;
}

export interface TeamRecord {
  readonly slug: string;
  readonly name: string;
}

export interface MemberRecord {
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'manager' | 'member';
  /** Slugs. */
  readonly teams: readonly string[];
}

export interface KeyRecord {
  readonly publicKey: string;
  readonly label: string;
  readonly isActive: boolean;
}

export interface ProjectRecord {
  /** Digits. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** '' where it does not say. */
  readonly platform: string;
  /** Slugs. */
  readonly teams: readonly string[];
  readonly keys: readonly KeyRecord[];
}

/** What its things are asked for by. */
export type ProjectName = Pick<ProjectRecord, 'id' | 'slug'>;

export interface DeployRecord {
  readonly id: string;
  readonly environment: string;
  readonly name: string;
  readonly url: string;
  readonly dateStarted: number | null;
  readonly dateFinished: number;
}

export interface ReleaseRecord {
  readonly version: string;
  readonly dateReleased: number | null;
  readonly url: string | null;
  readonly ref: string | null;
  readonly commits: readonly ReportedCommit[];
  readonly deploys: readonly DeployRecord[];
}

export interface RuleRecord {
  readonly id: string;
  readonly name: string;
  readonly match: 'any' | 'all';
  readonly conditions: readonly Condition[];
  readonly environment: string;
  readonly throttleMinutes: number;
  /** What of it has no counterpart here: fields of the report. */
  readonly lost: readonly ('conditions' | 'actions' | 'filters')[];
}

export interface SearchRecord {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly isShared: boolean;
}

export type StatusRecord =
  | { readonly state: 'unresolved' | 'resolved' | 'in_next_release' | 'archived_forever' | 'archived_until_escalating' }
  | { readonly state: 'in_release'; readonly release: string }
  | {
      readonly state: 'archived_until_condition_met';
      readonly until?: number | undefined;
      readonly events?: number | undefined;
      readonly minutes?: number | undefined;
    };

export type AssigneeRecord = { readonly email: string } | { readonly team: string };

export interface IssueRecord {
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly url: string;
  readonly status: StatusRecord;
  /** When it came to that status; null where nobody knows. */
  readonly statusAt: number | null;
  readonly assignee: AssigneeRecord | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
  readonly userCount: number | null;
}

export interface CommentRecord {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  readonly author: { readonly name: string; readonly email: string };
}

/** What the history of an issue says beyond the issue. */
export interface HistoryRecord {
  readonly comments: readonly CommentRecord[];
  readonly statusAt?: number | undefined;
}

export interface EventRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly at: number;
  /** As an SDK sends it, or as the tracker has it after its own processing. */
  load(): Promise<Readonly<Record<string, unknown>>>;
}

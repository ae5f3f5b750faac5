/** What alert rules are, and what they say. Times are ms since the epoch. */
import type { Interval } from '../../base/texts/intl.ts';

export type Condition =
  | { readonly type: 'new_issue' | 'regression' | 'escalating' | 'unarchived' }
  | { readonly type: 'event_frequency' | 'user_frequency'; readonly count: number; readonly minutes: number }
  | { readonly type: 'session_share'; readonly percent: number; readonly minutes: number }
  | { readonly type: 'watched_digest'; readonly digest: string | null };

export interface IssueTrigger {
  readonly match: 'any' | 'all';
  readonly conditions: readonly Condition[];
}

export type MetricDataSet = 'errors' | 'spans' | 'transactions' | 'sessions';

export type Comparison =
  | { readonly type: 'static' }
  | { readonly type: 'change'; readonly against: 'previous' | 'day' | 'week' }
  | { readonly type: 'anomaly'; readonly sensitivity: Sensitivity };

export type Sensitivity = 'low' | 'medium' | 'high';

export interface Metric {
  readonly dataset: MetricDataSet;
  /** As Explore writes it. */
  readonly aggregate: string;
  readonly minutes: number;
  readonly comparison: Comparison;
  readonly direction: 'above' | 'below' | 'both';
  /** In the unit of the value; percent of changes; not used by anomalies. */
  readonly warning: number | null;
  readonly critical: number | null;
  /** null: made of the lowest threshold. */
  readonly resolve: number | null;
  readonly noData: 'ok' | 'keep' | 'alert';
}

/** What both kinds have. */
export interface RuleSettings {
  readonly name: string;
  readonly enabled: boolean;
  /** Empty: all but the internal one. */
  readonly projectIds: readonly number[];
  /** '' for all. */
  readonly environment: string;
  readonly query: string;
  readonly throttleMinutes: number;
  readonly digestMinutes: number;
  readonly channelIds: readonly number[];
  /** `user:ID` or `team:ID`. */
  readonly owner: string | null;
}

export type RuleDefinition =
  | (RuleSettings & { readonly kind: 'issue'; readonly trigger: IssueTrigger })
  | (RuleSettings & { readonly kind: 'metric'; readonly metric: Metric });

export type IssueRule = Extract<Rule, { kind: 'issue' }>;
export type MetricRule = Extract<Rule, { kind: 'metric' }>;

export type Rule = RuleDefinition & {
  readonly id: number;
  readonly organizationId: string;
  readonly mutedUntil: number | null;
  readonly version: number;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type MetricState = 'ok' | 'warning' | 'critical' | 'no_data' | 'learning';

/** What the evaluator knows of a rule. */
export interface RuleState {
  readonly version: number;
  readonly state: MetricState;
  readonly stateSince: number;
  readonly notifiedState: Exclude<MetricState, 'learning'>;
  readonly calm: number;
  readonly value: number | null;
  readonly evaluatedAt: number;
  readonly messageAt: number | null;
  readonly problem: string;
}

export type Severity = 'info' | 'warning' | 'critical' | 'resolved';

export type FiringState = 'waiting' | 'told' | 'throttled' | 'muted' | 'unheard';

/** What a firing says, as it is kept. */
export interface FiringData {
  /** In words. */
  readonly why: string;
  readonly value: number | null;
  /** If the value may be off by more than 1 %: its 95 % interval. */
  readonly estimated?: Interval | undefined;
  /** What it was compared with; null for none. */
  readonly threshold: number | null;
}

export interface Firing extends FiringData {
  readonly id: number;
  readonly ruleId: number;
  readonly issueId: number | null;
  readonly state: FiringState;
  readonly severity: Severity;
  readonly at: number;
}

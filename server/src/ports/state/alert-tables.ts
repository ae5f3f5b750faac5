/** Tables of alert rules, what they know, and what they told. */
import type { Generated } from 'kysely';
import type { ClaimDefaults } from './job-tables.ts';

export interface AlertRuleTable {
  id: Generated<number>;
  organization_id: string;
  kind: 'issue' | 'metric';
  name: string;
  /** 1 or 0. */
  enabled: number;
  /** JSON array of project ids; empty: all but the internal one. */
  project_ids: string;
  /** '' for all. */
  environment: string;
  /** In the search language. */
  query: string;
  /** JSON: of issue rules `IssueTrigger`, of metric rules `Metric`; see `alerts/types.ts`. */
  definition: string;
  throttle_minutes: number;
  /** How long firings are gathered after a message before the next one. */
  digest_minutes: number;
  /** JSON array of ids of channels. */
  channel_ids: string;
  /** `user:ID`, `team:ID` or null. */
  owner: string | null;
  muted_until: number | null;
  /** Counted up by each change of what it watches. */
  version: number;
  created_by: string | null;
  created_at: number;
  updated_at: number;
}

/** What the evaluator knows of a rule. One row each, written by whoever holds the lease of its organisation. */
export interface AlertRuleStateTable {
  rule_id: number;
  /** The version that it is about; of an older one nothing is believed. */
  version: number;
  /** ok, warning, critical, no_data; learning while an anomaly has too few weeks. */
  state: string;
  state_since: number;
  /** The last state that was told: ok, warning, critical or no_data. */
  told: string;
  /** How many evaluations in a row said that it is over. */
  calm: number;
  /** The last value of a metric; null for none. */
  value: number | null;
  evaluated_at: number;
  /** When the last message of it was written. */
  message_at: number | null;
  /** Why it cannot be evaluated, in words; '' for nothing. */
  problem: string;
}

export interface AlertFiringTable {
  id: Generated<number>;
  organization_id: string;
  rule_id: number;
  /** What made it fire; a rule fires once for each. */
  cause: string;
  /** The issue; null of metric rules. */
  issue_id: number | null;
  /** waiting: to be told with the next message; told; throttled, muted, unheard (no channel): nobody was told. */
  state: 'waiting' | 'told' | 'throttled' | 'muted' | 'unheard';
  severity: 'info' | 'warning' | 'critical' | 'resolved';
  at: number;
  /** JSON of what it said: see `alerts/types.ts`. */
  data: string;
}

/** Who evaluates the rules of an organisation, and how far the activity of its issues has been read. */
export interface AlertLeaseTable extends ClaimDefaults {
  organization_id: string;
  detail: Generated<string>;
  /** Everything that happened before that time has been looked at; ms since the epoch. */
  read_until: number;
}

/** A rule that says nothing to one person; only addresses of that person are left out. */
export interface AlertRuleMuteTable {
  rule_id: number;
  user_id: string;
  until: number;
}

export interface AlertTables {
  alert_rule_mute: AlertRuleMuteTable;
  alert_rule: AlertRuleTable;
  alert_rule_state: AlertRuleStateTable;
  alert_firing: AlertFiringTable;
  alert_lease: AlertLeaseTable;
}

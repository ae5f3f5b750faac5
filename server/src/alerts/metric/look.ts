/** One look at the metric rules that are due: their values, what these mean, and what is to be said. */
import type { Project } from '../../projects/index.ts';
import type { AlertStores } from '../stores.ts';
import type { FiringData, MetricRule, RuleState, Severity } from '../types.ts';
import { nextState, type Reading, tellingOf, type Told } from './levels.ts';
import { measure, type WindowCache } from './measure.ts';
import { judgeValue, thresholdsFor } from './score.ts';

export interface MetricLook {
  readonly rule: MetricRule;
  readonly state: RuleState;
  /** What is to be said; undefined for nothing. */
  readonly telling:
    | (FiringData & { readonly severity: Severity; readonly told: Told; readonly cause: string })
    | undefined;
}

export interface MetricLookRequest {
  readonly rules: readonly MetricRule[];
  readonly states: ReadonlyMap<number, RuleState>;
  projectsOf(rule: MetricRule): readonly Project[];
  readonly cache: WindowCache;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** A window is looked at several times in its length, at most every ten seconds, at least once a minute. */
export const intervalMs = ({ metric }: Pick<MetricRule, 'metric'>): number =>
  Math.min(60_000, Math.max(10_000, (metric.minutes * 60_000) / 5));

export const isDue = (rule: MetricRule, state: RuleState | undefined, nowMs: number): boolean =>
  state?.version !== rule.version ||
  nowMs - state.evaluatedAt >= intervalMs(rule) ||
  // A clock that was put back.
  state.evaluatedAt > nowMs;

const maxSeconds = 10;

export async function lookAtMetrics(stores: AlertStores, request: MetricLookRequest): Promise<MetricLook[]> {
  const { rules, states, cache, nowMs, signal } = request;
  const questions = rules.map((rule) => ({
    key: `${rule.id}:${rule.version}`,
    metric: rule.metric,
    environment: rule.environment,
    query: rule.query,
    projects: request.projectsOf(rule),
  }));
  const values = await measure(stores, questions, cache, { nowMs, signal, maxSeconds });
  return rules.map((rule, index) => {
    const measured = values[index];
    const before = known(rule, states.get(rule.id), nowMs);
    if (measured === undefined || measured instanceof Error) {
      return {
        rule,
        state: { ...before, evaluatedAt: nowMs, problem: measured?.message ?? 'it was not measured' },
        telling: undefined,
      };
    }
    const { reading, why } = judgeValue(rule.metric, measured.value, measured.baseline);
    return step(rule, before, { reading, why, value: measured.value }, nowMs);
  });
}

/** What is known of the rule as it is now: nothing of an older version but what was told, so that an alarm that was told is ended. */
function known(rule: MetricRule, state: RuleState | undefined, nowMs: number): RuleState {
  if (state?.version === rule.version) return state;
  return {
    version: rule.version,
    state: 'ok',
    stateSince: nowMs,
    told: state?.told ?? 'ok',
    calm: 0,
    value: null,
    evaluatedAt: nowMs,
    messageAt: state?.messageAt ?? null,
    problem: '',
  };
}

const severities: Readonly<Record<Told, Severity>> = {
  ok: 'resolved',
  warning: 'warning',
  critical: 'critical',
  no_data: 'warning',
};

interface Read {
  readonly reading: Reading;
  readonly why: string;
  readonly value: number | null;
}

/** Pure: what the rule knows afterwards, and what is to be said. */
export function step(rule: MetricRule, before: RuleState, { reading, why, value }: Read, nowMs: number): MetricLook {
  const held = nextState(before, reading, rule.metric.noData);
  const moved = held.state !== before.state;
  const stateSince = moved ? nowMs : before.stateSince;
  const isMuted = rule.mutedUntil !== null && rule.mutedUntil > nowMs;
  const told = tellingOf(held.state, before.told);
  // What was told before the mute is ended after it.
  const says = told !== undefined && !(isMuted && !moved);
  const { warning, critical } = rule.metric;
  const thresholds = thresholdsFor(rule.metric);
  const threshold =
    rule.metric.comparison.type === 'anomaly'
      ? held.state === 'critical'
        ? thresholds.critical
        : thresholds.warning
      : held.state === 'critical'
        ? critical
        : (warning ?? critical);
  return {
    rule,
    state: {
      ...before,
      ...held,
      stateSince,
      value,
      evaluatedAt: nowMs,
      problem: '',
      told: says && !isMuted ? told : before.told,
      messageAt: says && !isMuted ? nowMs : before.messageAt,
    },
    telling: says
      ? {
          severity: severities[told],
          told,
          cause: `metric:${rule.version}:${held.state}:${stateSince}:${isMuted ? 'muted' : 'told'}`,
          why,
          value,
          threshold,
        }
      : undefined,
  };
}

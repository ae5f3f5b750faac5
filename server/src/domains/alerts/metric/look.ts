/** One look at the metric rules that are due: their values, what these mean, and what is to be said. */
import { windowInterval } from '../../explore/index.ts';
import type { Project } from '../../projects/index.ts';
import { measured as measurements } from '../../../base/texts/alerts.ts';
import { newState } from '../new-state.ts';
import type { AlertStores } from '../stores.ts';
import type { FiringData, MetricRule, RuleState, Severity } from '../types.ts';
import { nextState, type Reading, tellingOf, type NotifiedState } from './levels.ts';
import { isNews, measure, type MetricQuestion, type WindowCache, windowQuestion } from './measure.ts';
import { judgeValue, thresholdsFor } from './score.ts';

export interface MetricLook {
  readonly rule: MetricRule;
  readonly state: RuleState;
  /** What is to be said; undefined for nothing. */
  readonly telling:
    | (FiringData & {
        readonly severity: Severity;
        readonly notifiedState: NotifiedState;
        readonly cause: string;
        /** For the history alone. */
        readonly isMuted: boolean;
      })
    | undefined;
  /** An alarm is over, told or not. */
  readonly isOver: boolean;
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

/** Rules that are due in the same stretch of time are looked at together: a few statements answer many of them. */
const stretchMs = 10_000;
const stretchOf = (ms: number): number => Math.floor(ms / stretchMs);

export const isDue = (rule: MetricRule, state: RuleState | undefined, nowMs: number): boolean =>
  state?.version !== rule.version ||
  stretchOf(nowMs) - stretchOf(state.evaluatedAt) >= stretchOf(intervalMs(rule)) ||
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
  const looks = rules.map((rule, index) => {
    const measured = values[index];
    const before = known(rule, states.get(rule.id), nowMs);
    const question = questions[index];
    if (question && !isNews(question, nowMs)) {
      return { rule, state: { ...before, evaluatedAt: nowMs }, telling: undefined, isOver: false };
    }
    if (measured === undefined || measured instanceof Error) {
      return {
        rule,
        state: { ...before, evaluatedAt: nowMs, problem: measured?.message ?? measurements.missing },
        telling: undefined,
        isOver: false,
      };
    }
    const { reading, why } = judgeValue(rule.metric, measured.value, measured.baseline);
    return step(rule, before, { reading, why, value: measured.value }, nowMs);
  });
  return Promise.all(
    looks.map(async (look, index): Promise<MetricLook> => {
      const question = questions[index];
      if (!look.telling || look.telling.value === null || question?.metric.dataset !== 'errors') return look;
      const estimated = await intervalOf(stores, question, { nowMs, signal });
      return { ...look, telling: { ...look.telling, ...(estimated && { estimated }) } };
    }),
  );
}

/** An alarm is told in any case: what cannot be asked in time is left out. */
async function intervalOf(
  stores: AlertStores,
  question: MetricQuestion,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<FiringData['estimated']> {
  try {
    return await windowInterval(stores, await windowQuestion(stores, question, nowMs, nowMs), { signal, maxSeconds });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** What is known of the rule as it is now: nothing of an older version but what was told, so that an alarm that was told is ended. */
function known(rule: MetricRule, state: RuleState | undefined, nowMs: number): RuleState {
  if (state?.version === rule.version) return state;
  return { ...newState(rule, nowMs), notifiedState: state?.notifiedState ?? 'ok', messageAt: state?.messageAt ?? null };
}

const severities: Readonly<Record<NotifiedState, Severity>> = {
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

/**
 * Pure: what the rule knows afterwards, and what is to be said.
 *
 * A mute forgets what was told: what is still bad when it ends is told then, once, and what was over by then is not. The
 * history has what would have been told.
 */
export function step(rule: MetricRule, before: RuleState, { reading, why, value }: Read, nowMs: number): MetricLook {
  const held = nextState(before, reading, rule.metric.noData);
  const stateSince = held.state === before.state ? before.stateSince : nowMs;
  const isMuted = rule.mutedUntil !== null && rule.mutedUntil > nowMs;
  const known = before.state === 'learning' ? 'ok' : before.state;
  const notice = tellingOf(held.state, isMuted ? known : before.notifiedState);
  const isSent = notice !== undefined && !isMuted;
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
      notifiedState: isMuted ? 'ok' : (notice ?? before.notifiedState),
      messageAt: isSent ? nowMs : before.messageAt,
    },
    telling:
      notice === undefined
        ? undefined
        : {
            severity: severities[notice],
            notifiedState: notice,
            // The same alarm is told again where a mute lay in between.
            cause: `metric:${rule.version}:${held.state}:${stateSince}:${isMuted ? 'muted' : `told:${before.messageAt ?? 0}`}`,
            why,
            value,
            threshold,
            isMuted,
          },
    isOver: held.state === 'ok' && (known !== 'ok' || before.notifiedState !== 'ok'),
  };
}

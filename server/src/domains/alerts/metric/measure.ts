/** Values of metric rules and what they are compared with, from the stores: all that are due in a few queries. */
import { chunksOf } from '../../../base/chunks.ts';
import { latestNamed, readSeries, readWindows, type WindowQuestion } from '../../explore/index.ts';
import { sessionCounts } from '../../sessions/index.ts';
import type { Project } from '../../projects/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Metric, RuleSettings } from '../types.ts';
import { comparedWindows } from './anomaly.ts';
import type { Baseline } from './score.ts';

export interface MetricQuestion extends Pick<RuleSettings, 'environment' | 'query'> {
  readonly metric: Metric;
  readonly projects: readonly Project[];
}

export interface MetricValue {
  readonly value: number | null;
  readonly baseline: Baseline;
}

/** Ends before this are not known of: there was nothing that could have been counted. */
export const firstKnownMs = ({ metric: { dataset }, projects }: MetricQuestion): number =>
  Math.min(
    ...projects.map(
      (project) =>
        (dataset === 'errors' || dataset === 'sessions' ? project.firstEventAt : project.firstSpanAt) ?? Infinity,
    ),
  );

/** Whether no event of the window that ends now was brought by an import: such a window says nothing of how things are. */
export const isNews = ({ metric: { dataset, minutes }, projects }: MetricQuestion, nowMs: number): boolean =>
  dataset !== 'errors' || projects.every(({ importedUntil }) => (importedUntil ?? 0) < nowMs - minutes * 60_000);

const dayMs = 86_400_000;
const shifts = { day: dayMs, week: 7 * dayMs } as const;

/** Ends of the windows that one ending at `untilMs` is compared with. */
export function baselineEnds({ comparison, minutes }: Metric, untilMs: number): readonly (readonly number[])[] {
  if (comparison.type === 'static') return [];
  if (comparison.type === 'anomaly') return comparedWindows(untilMs, minutes * 60_000);
  return [[untilMs - (comparison.against === 'previous' ? minutes * 60_000 : shifts[comparison.against])]];
}

export function baselineOf({ comparison }: Metric, values: readonly (readonly (number | null)[])[]): Baseline {
  if (comparison.type === 'static') return { type: 'none' };
  if (comparison.type === 'anomaly') return { type: 'anomaly', weeks: values };
  return { type: 'change', before: values[0]?.[0] ?? null };
}

/** How far the window of an earlier week may be off: it is asked for once in a while, since it does not change. */
const roundMs = 10 * 60_000;

/** Values of earlier weeks, by rule and window; kept by the evaluator. */
export type WindowCache = Map<string, { readonly value: number | null; readonly usedAt: number }>;

export interface MeasureOptions {
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

interface Ask {
  readonly question: MetricQuestion;
  readonly untilMs: number;
  readonly key: string | undefined;
}

/** In the order of the questions; an error where a question cannot be answered. */
export async function measure(
  stores: AlertStores,
  questions: readonly (MetricQuestion & { readonly key: string })[],
  cache: WindowCache,
  options: MeasureOptions,
): Promise<(MetricValue | Error)[]> {
  const { nowMs } = options;
  const asks: Ask[] = [];
  const plans = questions.map((question) => {
    const firstMs = firstKnownMs(question);
    const ask = (untilMs: number, key?: string): (() => number | null | Error) => {
      if (untilMs - question.metric.minutes * 60_000 < firstMs && key !== undefined) return () => null;
      const known = key === undefined ? undefined : cache.get(key);
      if (known && key !== undefined) {
        cache.set(key, { ...known, usedAt: nowMs });
        return () => known.value;
      }
      const at = asks.push({ question, untilMs, key }) - 1;
      return () => answers[at] ?? null;
    };
    const value = ask(nowMs);
    const baseline = baselineEnds(question.metric, nowMs).map((ends) =>
      ends.map((untilMs) => {
        const end = question.metric.comparison.type === 'anomaly' ? Math.round(untilMs / roundMs) * roundMs : untilMs;
        return ask(end, question.metric.comparison.type === 'anomaly' ? `${question.key}:${end}` : '');
      }),
    );
    return { question, value, baseline };
  });
  const answers = await readAsked(stores, asks, options);
  for (const [index, { key }] of asks.entries()) {
    const value = answers[index];
    if (key && !(value instanceof Error)) cache.set(key, { value: value ?? null, usedAt: nowMs });
  }
  for (const [key, { usedAt }] of cache) if (usedAt < nowMs - dayMs / 12) cache.delete(key);
  return plans.map(({ question, value, baseline }) => {
    const all = [value(), ...baseline.flatMap((week) => week.map((read) => read()))];
    const failed = all.find((one) => one instanceof Error);
    if (failed instanceof Error) return failed;
    const values = baseline.map((week) => week.map((read) => numberOf(read())));
    return { value: numberOf(value()), baseline: baselineOf(question.metric, values) };
  });
}

const numberOf = (value: number | null | Error): number | null => (value instanceof Error ? null : value);

/** Questions that cannot be read do not take the others with them. */
async function readAsked(
  stores: AlertStores,
  asks: readonly Ask[],
  options: MeasureOptions,
): Promise<(number | null | Error)[]> {
  const answers = asks.map((): number | null | Error => null);
  const windows: { readonly at: number; readonly asked: WindowQuestion }[] = [];
  for (const [at, { question, untilMs }] of asks.entries()) {
    try {
      if (question.metric.dataset === 'sessions') answers[at] = await sessionValue(stores, question, untilMs);
      else windows.push({ at, asked: await windowQuestion(stores, question, untilMs, options.nowMs) });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      answers[at] = error instanceof Error ? error : new Error(String(error));
    }
  }
  // Where one of them is too expensive or cannot be asked, halves say which.
  const answer = async (ones: readonly (typeof windows)[number][]): Promise<void> => {
    const questions = ones.map(({ asked }) => asked);
    try {
      for (const [index, value] of (await readWindows(stores, questions, options)).entries()) {
        answers[ones[index]?.at ?? -1] = value;
      }
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const [one] = ones;
      if (one && ones.length === 1) {
        answers[one.at] = error instanceof Error ? error : new Error(String(error));
        return;
      }
      const half = Math.ceil(ones.length / 2);
      await answer(ones.slice(0, half));
      await answer(ones.slice(half));
    }
  };
  for (const chunk of chunksOf(windows, batch)) await answer(chunk);
  return answers;
}

const batch = 96;

export async function windowQuestion(
  { state }: Pick<AlertStores, 'state'>,
  { metric, projects, environment, query }: MetricQuestion,
  untilMs: number,
  nowMs: number,
  lengthMs = metric.minutes * 60_000,
): Promise<WindowQuestion> {
  const { dataset } = metric;
  if (dataset === 'sessions') throw new TypeError('sessions are counted elsewhere');
  const scope = {
    dataSet: dataset,
    projects,
    environments: environment ? [environment] : [],
    // What a fast clock has dated into the future belongs to a window up to now.
    range: { startMs: untilMs - lengthMs, endMs: untilMs, open: untilMs >= nowMs },
    nowMs,
    latestReleases: await latestNamed(state, projects, [query]),
  };
  const texts = { query, yAxis: [metric.aggregate], groupBy: [], sort: [], topEvents: 0 };
  return { question: readSeries(scope, texts), projects };
}

/** What can be asked of sessions. */
export const sessionAggregates = [
  'crash_free_rate(session)',
  'crash_free_rate(user)',
  'sum(session)',
  'count_unique(user)',
] as const;

/** Rates in percent; null while there is no session. */
async function sessionValue(
  { events }: AlertStores,
  { metric, projects, environment }: MetricQuestion,
  untilMs: number,
): Promise<number | null> {
  const counts = await sessionCounts(events, {
    projectIds: projects.map(({ id }) => id),
    environment,
    fromMs: untilMs - metric.minutes * 60_000,
    untilMs,
  });
  const share = (crashed: number, all: number): number | null => (all > 0 ? (1 - crashed / all) * 100 : null);
  switch (metric.aggregate) {
    case 'crash_free_rate(session)':
      return share(counts.crashed, counts.sessions);
    case 'crash_free_rate(user)':
      return share(counts.crashedUsers, counts.users);
    case 'count_unique(user)':
      return counts.users;
    default:
      return counts.sessions;
  }
}

/** For the check of a rule before it is saved. Throws `QuestionError`. */
export async function checkMetric(stores: AlertStores, question: MetricQuestion, nowMs: number): Promise<void> {
  if (question.metric.dataset !== 'sessions') await windowQuestion(stores, question, nowMs, nowMs);
}

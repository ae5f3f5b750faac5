/** A metric rule over past days: its values, and when it would have spoken. */
import { readSlidingWindows, type WindowValue } from '../../explore/index.ts';
import { measureSessions } from '../../sessions/index.ts';
import { newState } from '../new-state.ts';
import type { AlertStores } from '../stores.ts';
import type { MetricRule, Severity } from '../types.ts';
import { step } from '../metric/look.ts';
import { baselineEnds, baselineOf, firstKnownMs, type MetricQuestion, windowQuestion } from '../metric/measure.ts';
import { type Judged, isCount, judgeValue } from '../metric/score.ts';

export interface MetricPoint extends Judged {
  /** End of the window, ms since the epoch. */
  readonly at: number;
  readonly value: number | null;
  /** Undefined where the value is right to 1 %. */
  readonly interval: WindowValue['interval'];
}

export interface MetricPreviewRequest {
  readonly question: MetricQuestion;
  readonly fromMs: number;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

const dayMs = 86_400_000;
const maxSeconds = 20;

/** How far back what is compared lies. */
function reachMs({ question: { metric } }: MetricPreviewRequest): number {
  const ends = baselineEnds(metric, 0).flat();
  return Math.max(0, ...ends.map((end) => -end));
}

/** The earliest first. */
export async function metricPoints(stores: AlertStores, request: MetricPreviewRequest): Promise<MetricPoint[]> {
  const { question, fromMs, nowMs } = request;
  const { metric } = question;
  const windowMs = metric.minutes * 60_000;
  // Weeks are many windows, so that these lie less close.
  const stepMs =
    metric.comparison.type === 'anomaly' || metric.dataset === 'sessions' ? windowMs : Math.max(60_000, windowMs / 4);
  const firstMs = fromMs - windowMs - reachMs(request) - 3_600_000;
  const values = await windowValues(stores, request, { windowMs, stepMs, firstMs });
  const knownMs = firstKnownMs(question);
  const empty = isCount(metric) ? 0 : null;
  const startOf = (endMs: number): number => Math.floor((endMs - windowMs) / stepMs) * stepMs;
  const valueAt = (endMs: number): number | null => values.get(startOf(endMs))?.value ?? empty;
  const earlierAt = (endMs: number): number | null => (startOf(endMs) < knownMs ? null : valueAt(endMs));
  const points: MetricPoint[] = [];
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= nowMs; at += stepMs) {
    const value = valueAt(at);
    const baseline = baselineOf(
      metric,
      baselineEnds(metric, at).map((week) => week.map(earlierAt)),
    );
    points.push({ at, value, interval: values.get(startOf(at))?.interval, ...judgeValue(metric, value, baseline) });
  }
  return points;
}

async function windowValues(
  stores: AlertStores,
  { question, nowMs, signal, onProgress }: MetricPreviewRequest,
  { windowMs, stepMs, firstMs }: { readonly windowMs: number; readonly stepMs: number; readonly firstMs: number },
): Promise<ReadonlyMap<number, WindowValue>> {
  const values = new Map<number, WindowValue>();
  // A day at a time; each is read from a window before on, whose windows are whole then.
  const alignedMs = Math.floor(firstMs / stepMs) * stepMs;
  const pieceMs = Math.ceil(dayMs / stepMs) * stepMs;
  for (let startMs = alignedMs; startMs < nowMs; startMs += pieceMs) {
    signal.throwIfAborted();
    onProgress((startMs - alignedMs) / (nowMs - alignedMs));
    const endMs = Math.min(nowMs, startMs + pieceMs + windowMs);
    const found =
      question.metric.dataset === 'sessions'
        ? await sessionWindows(stores, question, { startMs, endMs, stepMs })
        : await readSlidingWindows(
            stores,
            await windowQuestion(stores, question, endMs, nowMs, endMs - startMs),
            { windowMs, stepMs },
            { signal, maxSeconds },
          );
    for (const [at, value] of found) if (at >= startMs && at < startMs + pieceMs) values.set(at, value);
  }
  return values;
}

async function sessionWindows(
  { events }: AlertStores,
  { metric, projects, environment }: MetricQuestion,
  { startMs, endMs, stepMs }: { readonly startMs: number; readonly endMs: number; readonly stepMs: number },
): Promise<Map<number, WindowValue>> {
  const rows = await measureSessions(events, {
    projectIds: projects.map(({ id }) => id),
    environments: environment ? [environment] : [],
    fromMs: startMs,
    untilMs: endMs,
    by: [],
    withUsers: metric.aggregate.includes('user'),
    bucketMs: stepMs,
  });
  return new Map(
    rows.map(({ bucket, sessions, users }) => {
      const parts = metric.aggregate.includes('user') ? users : sessions;
      const value = metric.aggregate.startsWith('crash')
        ? parts.total
          ? (1 - parts.crashed / parts.total) * 100
          : null
        : parts.total;
      return [startMs + bucket * stepMs, { value, interval: undefined }];
    }),
  );
}

export interface MetricSpark {
  readonly at: number;
  readonly severity: Severity;
  readonly why: string;
  readonly value: number | null;
  readonly estimate: WindowValue['interval'];
}

/** What the rule would have said, beginning calm. */
export function tellingsOf(rule: MetricRule, points: readonly MetricPoint[]): MetricSpark[] {
  const sparks: MetricSpark[] = [];
  let state = newState(rule, 0);
  for (const point of points) {
    const look = step(rule, state, point, point.at);
    state = look.state;
    if (look.telling) {
      const { at, why, value, interval: estimate } = point;
      sparks.push({ at, severity: look.telling.severity, why, value, estimate });
    }
  }
  return sparks;
}

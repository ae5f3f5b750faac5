/** The page Now: is something wrong, and what changed. */
import { intakeTroubles } from '../outcomes/index.ts';
import { latestChange } from '../releases/index.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { compareSeries } from '../traces/index.ts';
import { sessionHealth } from './sessions.ts';
import { newsOfIssues } from './issues.ts';
import { judge } from './judge.ts';
import { bucketMs, bucketsOfDay, compareHours, dayMs, errorSeries, startOfDay } from './measure.ts';
import type { Facts, Now, NowRequest, NowStores } from './types.ts';

export { intakeText, textOf } from './judge.ts';
export type { Now } from './types.ts';

/** How far back a change is looked for. */
const changesMs = 14 * dayMs;

/** `lagMs`: age of the oldest record that waits in the log; `alerts`: metric alerts that are raised now. */
export async function now(
  stores: NowStores,
  request: NowRequest,
  { lagMs, alerts }: { readonly lagMs: number; readonly alerts: Facts['alerts'] },
): Promise<Now> {
  const { projects, environments, nowMs } = request;
  const projectIds = projects.map(({ id }) => id);
  const change = await latestChange(stores.state, {
    projectIds,
    environments,
    startMs: nowMs - changesMs,
    endMs: nowMs,
  });
  const startMs = startOfDay(nowMs);
  const day: TimeRange = {
    startMs,
    endMs: startMs + dayMs,
    open: true,
    bucketMs,
    buckets: bucketsOfDay,
    grain: 'hour',
    label: '24h',
  };
  const [begun, news, series, hours, troublesOf, transactions, sessions] = await Promise.all([
    hasBegun(stores, projectIds),
    newsOfIssues(stores, request, change),
    errorSeries(stores, request),
    compareHours(stores, request),
    intakeTroubles(stores.events, projectIds, { nowMs, lagMs }),
    compareSeries(
      stores.events,
      { projectIds, environments, releases: [], range: day },
      { conditions: [], params: {} },
    ),
    sessionHealth(stores, request),
  ]);
  const facts: Facts = {
    nowMs,
    begun,
    change,
    counts: news.counts,
    errorsLastHour: hours.lastHour,
    usualPerHour: hours.usual,
    hotspots: hours.hotspots,
    intake: troublesOf(projectIds),
    alerts,
    sessions,
  };
  return { ...facts, verdict: judge(facts), series, transactions, issues: news.issues, issuesRange: news.range };
}

async function hasBegun({ state }: NowStores, projectIds: readonly number[]): Promise<boolean> {
  if (!projectIds.length) return false;
  const row = await state.db
    .selectFrom('project')
    .select('id')
    .where('id', 'in', projectIds)
    .where((eb) => eb.or([eb('first_event_at', 'is not', null), eb('first_span_at', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * What the number of events does: an issue outgrows its forecast, or the events or users come for which it was archived.
 * Asked only of issues that got events, with a query or two for all of a project together; what is busy enough to be worth
 * a forecast is looked at more closely. Only what came after the last change of its status counts against an issue.
 */
import { chunksOf } from '../../../base/chunks.ts';
import type { Events } from '../../../ports/events/events.ts';
import { ownersOf } from '../rows.ts';
import type { IssueStores } from '../types.ts';
import { raisePriority } from '../work/priority.ts';
import { countBetween, hourlyCounts, tallyOf, type Watched } from './counts.ts';
import { parseDetails } from './details.ts';
import { forecast, forecastDays, leastForecast } from './forecast.ts';
import { type Changed, type Move, transition } from './transition.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const atOnce = 1_000;

/** Forecasts that were made, by issue, hour and last change of its status. */
export type Forecasts = Map<string, number>;
const maxForecasts = 20_000;

/** `ids` got events. `nowMs`: ms since the epoch. */
export async function moveByVolume(
  stores: IssueStores,
  ids: Iterable<number>,
  nowMs: number,
  forecasts: Forecasts,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  if (forecasts.size > maxForecasts) forecasts.clear();
  for (const chunk of chunksOf([...ids], atOnce)) {
    for (const issues of (await watchedAmong(stores, chunk)).values()) {
      const growing = issues.filter((issue) => issue.substatus !== 'archived_until_condition_met');
      const waiting = issues.filter((issue) => issue.substatus === 'archived_until_condition_met');
      const moves = [
        ...(await outgrown(stores.events, growing, nowMs, forecasts)),
        ...(await conditionsMet(stores.events, waiting, nowMs)),
      ];
      if (!moves.length) continue;
      changed.push(
        ...(await stores.state.transaction(async (trx) => {
          const moved = await transition(trx, moves, { userId: null, nowMs });
          const escalating = moved.filter(({ to }) => to === 'escalating').map(({ id }) => id);
          if (escalating.length) await raisePriority(trx, { issueIds: escalating, nowMs });
          return moved;
        })),
      );
    }
  }
  return changed;
}

/** Those that a number of events can move, by project. */
async function watchedAmong({ state }: IssueStores, ids: readonly number[]): Promise<Map<number, Watched[]>> {
  const rows = await state.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'project_id', 'substatus', 'status_details', 'status_changed_at', 'first_seen'])
    .select('imported_until')
    .where('issue.id', 'in', ids)
    .where('status', 'in', ['unresolved', 'archived'])
    .where('substatus', 'in', ['ongoing', 'archived_until_escalating', 'archived_until_condition_met'])
    .where('merged_into', 'is', null)
    .execute();
  const watched = new Map<number, Watched>();
  for (const row of rows) {
    const details = parseDetails(row.status_details);
    watched.set(row.id, {
      id: row.id,
      projectId: row.project_id,
      substatus: row.substatus ?? '',
      details,
      changedAt: row.status_changed_at,
      firstSeen: row.first_seen,
      countedAfter: Math.max(row.status_changed_at ?? 0, row.imported_until ?? 0),
      hashes: [],
    });
  }
  for (const [key, id] of await ownersOf(state, [...watched.keys()])) {
    watched.get(id)?.hashes.push(key.slice(key.indexOf(':') + 1));
  }
  return Map.groupBy(watched.values(), (issue) => issue.projectId);
}

async function outgrown(
  events: Events,
  issues: readonly Watched[],
  nowMs: number,
  forecasts: Forecasts,
): Promise<Move[]> {
  const moves = new Map<number, Move>();
  // What came at the end of an hour is seen at the beginning of the next.
  const current = Math.floor(nowMs / hourMs) * hourMs;
  const counts = await hourlyCounts(events, issues, current - hourMs);
  for (const hour of [current - hourMs, current]) {
    const busy = issues.filter(({ id, countedAfter }) => {
      const isLater = hour + hourMs > countedAfter;
      return isLater && !moves.has(id) && (counts.get(id)?.get(hour) ?? 0) > leastForecast;
    });
    for (const some of chunksOf(busy, forecastsAtOnce)) {
      for (const move of await outgrownIn(events, some, { hour, counts, forecasts })) moves.set(move.issueId, move);
    }
  }
  return [...moves.values()];
}

interface Hour {
  /** Its beginning, ms since the epoch. */
  readonly hour: number;
  readonly counts: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly forecasts: Forecasts;
}

async function outgrownIn(
  events: Events,
  issues: readonly Watched[],
  { hour, counts, forecasts }: Hour,
): Promise<Move[]> {
  const expected = await forecastsOf(events, issues, hour, forecasts);
  const over = issues.filter(({ id }) => (counts.get(id)?.get(hour) ?? 0) > (expected.get(id) ?? Infinity));
  const cut = over.filter(({ countedAfter }) => countedAfter > hour);
  const exact = await countBetween(
    events,
    cut.map((issue) => ({ issue, from: issue.countedAfter, until: hour + hourMs })),
  );
  return over.flatMap((issue): Move[] => {
    const most = expected.get(issue.id) ?? Infinity;
    const count = cut.includes(issue) ? (exact.get(issue.id) ?? 0) : (counts.get(issue.id)?.get(hour) ?? 0);
    if (count <= most) return [];
    const data = { count, forecast: most, hour: new Date(hour).toISOString() };
    return [{ issueId: issue.id, trigger: 'outgrown', data, since: issue.changedAt }];
  });
}

/** Whose histories are read by one query. */
const forecastsAtOnce = 100;

async function forecastsOf(
  events: Events,
  issues: readonly Watched[],
  hour: number,
  forecasts: Forecasts,
): Promise<ReadonlyMap<number, number>> {
  const keyOf = ({ id, changedAt }: Watched): string => `${id}:${hour}:${changedAt ?? ''}`;
  const unknown = issues.filter((issue) => !forecasts.has(keyOf(issue)));
  const earliest = hour - forecastDays * dayMs;
  const histories = await hourlyCounts(events, unknown, earliest, hour);
  // Who archives it while it is loud knows that it is.
  const archived = unknown.filter((issue) => issue.substatus === 'archived_until_escalating');
  const accepted = await countBetween(
    events,
    archived.map((issue) => ({ issue, from: (issue.changedAt ?? 0) - hourMs, until: issue.changedAt ?? 0 })),
  );
  for (const issue of unknown) {
    const first = Math.max(Math.floor(issue.firstSeen / hourMs) * hourMs, earliest);
    const counts = histories.get(issue.id);
    const history = Array.from({ length: Math.max(0, (hour - first) / hourMs) }, (_, index) => {
      return counts?.get(first + index * hourMs) ?? 0;
    });
    forecasts.set(keyOf(issue), forecast(history, accepted.get(issue.id)));
  }
  return new Map(issues.map((issue) => [issue.id, forecasts.get(keyOf(issue)) ?? Infinity]));
}

/** Of the events since an issue was archived, or within its window where that is shorter. */
async function conditionsMet(events: Events, issues: readonly Watched[], nowMs: number): Promise<Move[]> {
  const counted = issues.filter(
    ({ details, hashes }) =>
      hashes.length && (details.ignoreCount !== undefined || details.ignoreUserCount !== undefined),
  );
  if (!counted.length) return [];
  const tallies = await tallyOf(events, counted, nowMs);
  return counted.flatMap((issue): Move[] => {
    const { ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } = issue.details;
    const { n, users } = tallies.get(issue.id) ?? { n: 0, users: 0 };
    const byEvents = ignoreCount !== undefined && n >= ignoreCount;
    const byUsers = ignoreUserCount !== undefined && users >= ignoreUserCount;
    if (!byEvents && !byUsers) return [];
    const data = byEvents
      ? { ignoreCount, ignoreWindow, count: n }
      : { ignoreUserCount, ignoreUserWindow, userCount: users };
    return [{ issueId: issue.id, trigger: 'condition_met', data, since: issue.changedAt }];
  });
}

/**
 * Which releases that events carry get a row. A project has two budgets of releases that events alone speak of: those that are new
 * and not sure yet, of a day, and all. What was named by an upload, a deploy or a client counts in neither. Where a budget is used
 * up, a name that comes again takes the place of one that is not sure, of the minute that brought most of those.
 */
import { sql } from 'kysely';
import type { StateTransaction } from '../../ports/state/state.ts';
import { uploadedFor } from './named.ts';
import type { Newcomers } from './newcomers.ts';

export interface NameLimits {
  /** Releases of a project that are new within a day and not sure yet. */
  readonly newReleases: number;
  /** Releases of a project that events alone speak of. */
  readonly releases: number;
  /** Environments of a release in a project. */
  readonly environments: number;
}

/** Seen in so many minutes a release is sure. */
const sureSightings = 3;
const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface WantedRelease {
  readonly projectId: number;
  readonly release: string;
}

export interface Admission<T> {
  readonly admitted: readonly T[];
  /** Of these something was uploaded. */
  readonly named: ReadonlySet<string>;
  readonly turnedAway: readonly T[];
  /** What made room. */
  readonly evicted: readonly WantedRelease[];
}

interface Bounds {
  readonly now: number;
  readonly limits: NameLimits;
  readonly newcomers: Newcomers;
}

/** `wanted` have no row yet, each name of a project once. Makes room by taking rows of `release_project` away. */
export async function admit<T extends WantedRelease>(
  trx: StateTransaction,
  organizationId: string,
  wanted: readonly T[],
  bounds: Bounds,
): Promise<Admission<T>> {
  const named = await uploadedFor(trx, organizationId, [...new Set(wanted.map(({ release }) => release))]);
  const admitted = wanted.filter(({ release }) => named.has(release));
  const turnedAway: T[] = [];
  const evicted: WantedRelease[] = [];
  const byProject = Map.groupBy(
    wanted.filter(({ release }) => !named.has(release)),
    ({ projectId }) => projectId,
  );
  for (const [projectId, ofProject] of [...byProject].toSorted(([a], [b]) => a - b)) {
    const used = await usedBy(trx, projectId, bounds.now);
    const room = Math.max(0, bounds.limits.newReleases - used.unsure);
    const beyond = ofProject.slice(room);
    const returned = beyond.filter((one) => bounds.newcomers.hasReturned(keyOf(one), bounds.now));
    const budget = { name: `releases ${projectId}`, most: bounds.limits.newReleases };
    const places = await evict(trx, projectId, {
      unsureSince: bounds.now - dayMs,
      count: bounds.newcomers.allow(budget, returned.length, bounds.now),
    });
    const replacing = returned.slice(0, places.length);
    const entering = [...ofProject.slice(0, room), ...replacing];
    const excess = Math.max(0, used.all + entering.length - replacing.length - bounds.limits.releases);
    evicted.push(...places, ...(await evict(trx, projectId, { count: excess })));
    for (const one of entering) bounds.newcomers.forget(keyOf(one));
    admitted.push(...entering);
    const isIn = new Set(replacing);
    turnedAway.push(...beyond.filter((one) => !isIn.has(one)));
  }
  return { admitted, named, turnedAway, evicted };
}

const keyOf = ({ projectId, release }: WantedRelease): string => `${projectId} ${release}`;

async function usedBy(
  trx: StateTransaction,
  projectId: number,
  now: number,
): Promise<{ readonly all: number; readonly unsure: number }> {
  const row = await trx
    .selectFrom('release_project as seen')
    .innerJoin('release', 'release.id', 'seen.release_id')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn
        .sum<number | null>(
          eb
            .case()
            .when(eb.and([eb('sightings', '<', sureSightings), eb('noted_at', '>', now - dayMs)]))
            .then(eb.lit(1))
            .else(eb.lit(0))
            .end(),
        )
        .as('unsure'),
    ])
    .where('seen.project_id', '=', projectId)
    .where('release.is_named', '=', 0)
    .executeTakeFirstOrThrow();
  return { all: Number(row.all), unsure: Number(row.unsure ?? 0) };
}

/** The one with the most names that are not sure: a flood comes at once, what is rare and real came at other times. */
async function busiestMinute(trx: StateTransaction, projectId: number, since: number): Promise<number> {
  const minute = sql<number>`seen.noted_at - seen.noted_at % ${sql.lit(minuteMs)}`;
  const row = await trx
    .selectFrom('release_project as seen')
    .innerJoin('release', 'release.id', 'seen.release_id')
    .select(minute.as('minute'))
    .where('seen.project_id', '=', projectId)
    .where('release.is_named', '=', 0)
    .where('seen.sightings', '<', sureSightings)
    .where('seen.noted_at', '>', since)
    .groupBy(minute)
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy(minute)
    .limit(1)
    .executeTakeFirst();
  return Number(row?.minute ?? 0);
}

/**
 * Takes up to so many names from a project, the least sure first, then what was not seen for the longest; with `unsureSince` any of
 * the minute since then that brought most of what is not sure.
 */
async function evict(
  trx: StateTransaction,
  projectId: number,
  { unsureSince, count }: { readonly unsureSince?: number; readonly count: number },
): Promise<WantedRelease[]> {
  if (count <= 0) return [];
  let query = trx
    .selectFrom('release_project as seen')
    .innerJoin('release', 'release.id', 'seen.release_id')
    .select(['release.id', 'release.version'])
    .where('seen.project_id', '=', projectId)
    .where('release.is_named', '=', 0)
    .orderBy((eb) =>
      eb
        .case()
        .when('seen.sightings', '<', sureSightings)
        .then(eb.ref('seen.sightings'))
        .else(eb.lit(sureSightings))
        .end(),
    );
  if (unsureSince !== undefined) {
    const minute = await busiestMinute(trx, projectId, unsureSince);
    query = query
      .where('seen.sightings', '<', sureSightings)
      .where('seen.noted_at', '>', unsureSince)
      .where('seen.noted_at', '>=', minute)
      .where('seen.noted_at', '<', minute + minuteMs)
      // None of a moment is older than another in a way that says something.
      .orderBy(sql`random()`);
  } else {
    query = query.orderBy('seen.noted_at').orderBy('release.id');
  }
  const rows = await query.limit(count).execute();
  for (let from = 0; from < rows.length; from += 500) {
    const ids = rows.slice(from, from + 500).map(({ id }) => id);
    for (const table of ['release_environment', 'release_project'] as const) {
      await trx.deleteFrom(table).where('project_id', '=', projectId).where('release_id', 'in', ids).execute();
    }
    await trx
      .deleteFrom('release')
      .where('id', 'in', ids)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('release_project')
              .select('release_project.release_id')
              .whereRef('release_project.release_id', '=', 'release.id'),
          ),
        ),
      )
      .execute();
  }
  return rows.map(({ version }) => ({ projectId, release: version }));
}

/**
 * A release exists as soon as an event carries it, unless events invent more of them than a project has room for (`room.ts`).
 *
 * This runs once for each batch of events, so what was written lately is remembered: most batches bring nothing new
 * and write nothing. The last time is therefore up to a minute old; the first one is exact. Repeating a batch changes nothing.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../base/chunks.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { rowsAtOnce } from '../release-order/index.ts';
import { widenEnvironments } from './environments.ts';
import { Newcomers } from './newcomers.ts';
import { countOverflow } from './overflow.ts';
import { admit, type NameLimits, type WantedRelease } from './room.ts';
import { wider } from './wider.ts';

/** What a batch saw of a release; times are ms since the epoch. */
export interface SeenRelease {
  readonly projectId: number;
  readonly release: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly environment?: string;
}

interface Noted {
  readonly first: number;
  readonly last: number;
}

const refreshMs = 60_000;
const maxRemembered = 20_000;
const nameLimits: NameLimits = { newReleases: 500, releases: 20_000, environments: 50 };

interface Memory {
  readonly known: Map<string, Noted>;
  readonly newcomers: Newcomers;
}
const memories = new WeakMap<State, Memory>();

/** `now` is ms since the epoch. */
export async function noteReleases(
  state: State,
  seen: readonly SeenRelease[],
  now: number,
  limits = nameLimits,
): Promise<void> {
  const memory = memories.get(state) ?? { known: new Map<string, Noted>(), newcomers: new Newcomers() };
  memories.set(state, memory);
  const { known, newcomers } = memory;
  const due = [...mergedByKey(seen)].filter(([key, one]) => {
    const noted = known.get(key);
    return !noted || one.firstSeen < noted.first || one.lastSeen >= noted.last + refreshMs;
  });
  if (!due.length) return;
  const { written, evicted } = await state.transaction((trx) =>
    write(
      trx,
      due.map(([, one]) => one),
      { now, limits, newcomers },
    ),
  );
  if (evicted.size) for (const key of known.keys()) if (evicted.has(nameOf(key))) known.delete(key);
  if (known.size + written.size > maxRemembered) known.clear();
  for (const [key, one] of due) {
    if (!written.has(one)) continue;
    const noted = known.get(key);
    known.set(key, {
      first: Math.min(noted?.first ?? Infinity, one.firstSeen),
      last: Math.max(noted?.last ?? -Infinity, one.lastSeen),
    });
  }
}

interface Bounds {
  readonly now: number;
  readonly limits: NameLimits;
  readonly newcomers: Newcomers;
}

/** Of the key of a sighting: without the environment. */
const nameOf = (key: string): string => {
  const [projectId = '', , release = ''] = key.split('\n');
  return `${projectId}\n${release}`;
};

function mergedByKey(seen: readonly SeenRelease[]): Map<string, SeenRelease> {
  const merged = new Map<string, SeenRelease>();
  for (const one of seen) {
    if (one.release === '') continue;
    const key = `${one.projectId}\n${one.environment ?? ''}\n${one.release}`;
    const before = merged.get(key);
    merged.set(key, before ? widened(before, one) : one);
  }
  return merged;
}

const widened = (a: SeenRelease, b: SeenRelease): SeenRelease => ({
  ...a,
  firstSeen: Math.min(a.firstSeen, b.firstSeen),
  lastSeen: Math.max(a.lastSeen, b.lastSeen),
});

interface Written {
  /** Not what is of a deleted project or found no room. */
  readonly written: ReadonlySet<SeenRelease>;
  /** Names by project that made room. */
  readonly evicted: ReadonlySet<string>;
}

async function write(trx: StateTransaction, seen: readonly SeenRelease[], bounds: Bounds): Promise<Written> {
  const { now, limits, newcomers } = bounds;
  const organizations = await organizationsOf(trx, seen);
  const written = new Set<SeenRelease>();
  const evicted = new Set<string>();
  for (const [organizationId, ofOrganization] of Map.groupBy(seen, (one) => organizations.get(one.projectId))) {
    if (organizationId === undefined) continue;
    for (const chunk of chunksOf(ofOrganization, rowsAtOnce)) {
      const found = await placesOf(trx, organizationId, chunk, bounds);
      for (const { projectId, release } of found.evicted) evicted.add(`${projectId}\n${release}`);
      const { placed } = found;
      await widenProjects(trx, placed, now);
      const turnedAway = await widenEnvironments(trx, placed, { now, most: limits.environments, newcomers });
      await countOverflow(trx, 'environment', countsOf([...turnedAway]), now);
      for (const { one } of placed) if (!turnedAway.has(one)) written.add(one);
    }
  }
  return { written, evicted };
}

async function organizationsOf(
  trx: StateTransaction,
  seen: readonly SeenRelease[],
): Promise<ReadonlyMap<number, string>> {
  const organizations = new Map<number, string>();
  for (const chunk of chunksOf([...new Set(seen.map((one) => one.projectId))], rowsAtOnce)) {
    const rows = await trx.selectFrom('project').select(['id', 'organization_id']).where('id', 'in', chunk).execute();
    for (const row of rows) organizations.set(row.id, row.organization_id);
  }
  return organizations;
}

/** The releases of what was seen; makes those that are not there and find room. */
async function placesOf(
  trx: StateTransaction,
  organizationId: string,
  seen: readonly SeenRelease[],
  bounds: Bounds,
): Promise<{ readonly placed: readonly Placed[]; readonly evicted: readonly WantedRelease[] }> {
  const known = await findIn(trx, organizationId, seen);
  const wanted = new Map<string, SeenRelease>();
  for (const one of seen) {
    const { projectId, release } = one;
    if (known.get(release)?.projectIds.has(projectId)) continue;
    const key = `${projectId}\n${release}`;
    const before = wanted.get(key);
    wanted.set(key, before ? widened(before, one) : one);
  }
  // What somebody named is of any project that its events come from.
  const unnamed = [...wanted.values()].filter(({ release }) => !known.get(release)?.isNamed);
  if (!unnamed.length) return { placed: placesAmong(known, seen), evicted: [] };
  const { admitted, named, turnedAway, evicted } = await admit(trx, organizationId, unnamed, bounds);
  await countOverflow(trx, 'release', countsOf(turnedAway), bounds.now);
  const made = new Map<string, number>();
  for (const { release, firstSeen } of admitted) {
    if (known.has(release)) continue;
    made.set(release, Math.min(made.get(release) ?? Infinity, firstSeen, bounds.now));
  }
  if (made.size) await make(trx, organizationId, made, named);
  const refused = new Set(turnedAway.map(({ projectId, release }) => `${projectId}\n${release}`));
  const there = made.size || evicted.length ? await findIn(trx, organizationId, seen) : known;
  const kept = seen.filter(({ projectId, release }) => !refused.has(`${projectId}\n${release}`));
  return { placed: placesAmong(there, kept), evicted };
}

function countsOf(seen: readonly WantedRelease[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { projectId } of seen) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  return counts;
}

interface KnownRelease {
  readonly id: number;
  readonly isNamed: boolean;
  /** Of those that are asked about, the projects that have it. */
  readonly projectIds: ReadonlySet<number>;
}

/** By version. */
async function findIn(
  trx: StateTransaction,
  organizationId: string,
  seen: readonly SeenRelease[],
): Promise<ReadonlyMap<string, KnownRelease>> {
  const rows = await trx
    .selectFrom('release')
    .leftJoin('release_project', 'release_project.release_id', 'release.id')
    .select(['release.id', 'release.version', 'release.is_named', 'release_project.project_id'])
    .where('organization_id', '=', organizationId)
    .where('version', 'in', [...new Set(seen.map((one) => one.release))])
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.version)].map(([version, [first, ...more]]) => [
      version,
      {
        id: first?.id ?? 0,
        isNamed: first?.is_named === 1,
        projectIds: new Set([first, ...more].flatMap((row) => row?.project_id ?? [])),
      },
    ]),
  );
}

const placesAmong = (known: ReadonlyMap<string, KnownRelease>, seen: readonly SeenRelease[]): Placed[] =>
  seen.flatMap((one) => {
    const release = known.get(one.release);
    return release ? [{ id: release.id, one }] : [];
  });

async function make(
  trx: StateTransaction,
  organizationId: string,
  made: ReadonlyMap<string, number>,
  named: ReadonlySet<string>,
): Promise<void> {
  await trx
    .insertInto('release')
    .values(
      [...made].toSorted().map(([version, at]) => ({
        organization_id: organizationId,
        version,
        status: 'open' as const,
        ref: null,
        url: null,
        date_started: null,
        date_released: null,
        ordered_at: at,
        created_at: at,
        is_named: Number(named.has(version)),
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'version']).doNothing())
    .execute();
}

interface Placed {
  readonly id: number;
  readonly one: SeenRelease;
}

async function widenProjects(trx: StateTransaction, placed: readonly Placed[], now: number): Promise<void> {
  const rows = [...Map.groupBy(placed, ({ id, one }) => `${id}:${one.projectId}`).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ id: first.id, one: group.map(({ one }) => one).reduce(widened) }] : [];
  });
  if (!rows.length) return;
  const [sightings, notedAt] = [sql.ref('release_project.sightings'), sql.ref('release_project.noted_at')];
  const isLater = sql`excluded.noted_at >= ${notedAt} + ${sql.lit(refreshMs)}`;
  await trx
    .insertInto('release_project')
    .values(
      // Two batches lock in one order.
      rows
        .toSorted((a, b) => a.id - b.id || a.one.projectId - b.one.projectId)
        .map(({ id, one }) => ({
          release_id: id,
          project_id: one.projectId,
          first_seen: one.firstSeen,
          last_seen: one.lastSeen,
          sightings: 1,
          noted_at: now,
        })),
    )
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'project_id']).doUpdateSet({
        ...wider('release_project'),
        sightings: sql<number>`case when ${isLater} then ${sightings} + 1 else ${sightings} end`,
        noted_at: sql<number>`case when ${isLater} then excluded.noted_at else ${notedAt} end`,
      }),
    )
    .execute();
}

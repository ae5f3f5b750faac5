/**
 * A release exists as soon as an event carries it.
 *
 * This runs once for each batch of events, so what was written lately is remembered: most batches bring nothing new
 * and write nothing. The last time is therefore up to a minute old; the first one is exact. Repeating a batch changes nothing.
 */
import { sql } from 'kysely';
import type { State, StateTransaction } from '../state/state.ts';
import { chunksOf } from './rows.ts';

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
const mostRemembered = 20_000;
/** Releases that the events of one project may make: a client that sends another with each event fills no disk. */
const mostOfProject = 20_000;
/** After this long without an event a release that only events made may be forgotten to make room. */
const staleMs = 90 * 86_400_000;
const forgottenAtOnce = 1_000;

const remembered = new WeakMap<State, Map<string, Noted>>();

/** `now` is ms since the epoch, `most` how many releases a project may have. */
export async function noteReleases(
  state: State,
  seen: readonly SeenRelease[],
  now: number,
  most = mostOfProject,
): Promise<void> {
  const known = remembered.get(state) ?? new Map<string, Noted>();
  remembered.set(state, known);
  const due = [...mergedByKey(seen)].filter(([key, one]) => {
    const noted = known.get(key);
    return !noted || one.firstSeen < noted.first || one.lastSeen >= noted.last + refreshMs;
  });
  if (!due.length) return;
  const written = await state.transaction((trx) =>
    write(
      trx,
      due.map(([, one]) => one),
      { now, most },
    ),
  );
  if (known.size + due.length > mostRemembered) known.clear();
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
  readonly most: number;
}

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

/** Returns what was written: not what is of a deleted project or beyond the limit. */
async function write(
  trx: StateTransaction,
  seen: readonly SeenRelease[],
  bounds: Bounds,
): Promise<ReadonlySet<SeenRelease>> {
  const organizations = await organizationsOf(trx, seen);
  const written = new Set<SeenRelease>();
  for (const [organizationId, ofOrganization] of Map.groupBy(seen, (one) => organizations.get(one.projectId))) {
    if (organizationId === undefined) continue;
    for (const chunk of chunksOf(ofOrganization)) {
      const ids = await releaseIds(trx, organizationId, chunk, bounds);
      const placed = chunk.flatMap((one) => {
        const id = ids.get(one.release);
        return id === undefined ? [] : [{ id, one }];
      });
      for (const { one } of placed) written.add(one);
      await widenProjects(trx, placed);
      await widenEnvironments(trx, placed);
    }
  }
  return written;
}

async function organizationsOf(
  trx: StateTransaction,
  seen: readonly SeenRelease[],
): Promise<ReadonlyMap<number, string>> {
  const organizations = new Map<number, string>();
  for (const chunk of chunksOf([...new Set(seen.map((one) => one.projectId))])) {
    const rows = await trx.selectFrom('project').select(['id', 'organization_id']).where('id', 'in', chunk).execute();
    for (const row of rows) organizations.set(row.id, row.organization_id);
  }
  return organizations;
}

/** By version; makes those that are not there. */
async function releaseIds(
  trx: StateTransaction,
  organizationId: string,
  seen: readonly SeenRelease[],
  { now, most }: Bounds,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const find = async (versions: readonly string[]): Promise<void> => {
    if (!versions.length) return;
    const rows = await trx
      .selectFrom('release')
      .select(['id', 'version'])
      .where('organization_id', '=', organizationId)
      .where('version', 'in', versions)
      .execute();
    for (const row of rows) ids.set(row.version, row.id);
  };
  await find([...new Set(seen.map((one) => one.release))]);
  const missing = seen.filter((one) => !ids.has(one.release));
  if (!missing.length) return ids;
  const room = await roomOf(trx, [...new Set(missing.map((one) => one.projectId))], { now, most });
  const made = new Map<string, number>();
  for (const { release, projectId, firstSeen } of missing) {
    const left = room.get(projectId) ?? 0;
    if (made.has(release) || left <= 0) continue;
    room.set(projectId, left - 1);
    made.set(release, Math.min(firstSeen, now));
  }
  if (!made.size) return ids;
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
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'version']).doNothing())
    .execute();
  await find([...made.keys()]);
  return ids;
}

/** How many more releases each project may have. */
async function roomOf(
  trx: StateTransaction,
  projectIds: readonly number[],
  { now, most }: Bounds,
): Promise<Map<number, number>> {
  const room = new Map(projectIds.map((id) => [id, most]));
  for (const chunk of chunksOf(projectIds)) {
    const rows = await trx
      .selectFrom('release_project')
      .select(({ fn }) => ['project_id', fn.countAll<number>().as('releases')])
      .where('project_id', 'in', chunk)
      .groupBy('project_id')
      .execute();
    for (const row of rows) {
      const left = most - Number(row.releases);
      room.set(row.project_id, left > 0 ? left : left + (await forgetStale(trx, row.project_id, now - staleMs)));
    }
  }
  return room;
}

/** Forgets releases of which nothing is known but that events carried them, long ago. Returns how many. */
async function forgetStale(trx: StateTransaction, projectId: number, before: number): Promise<number> {
  const forgotten = await trx
    .deleteFrom('release')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('release_project as seen')
        .innerJoin('release as old', 'old.id', 'seen.release_id')
        .select('old.id')
        .where('seen.project_id', '=', projectId)
        .where('seen.last_seen', '<', before)
        .where('old.date_released', 'is', null)
        .where('old.date_started', 'is', null)
        .where('old.url', 'is', null)
        .where('old.ref', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('release_project as other')
                .select('other.project_id')
                .whereRef('other.release_id', '=', 'old.id')
                .where((inner) =>
                  inner.or([inner('other.last_seen', 'is', null), inner('other.last_seen', '>=', before)]),
                ),
            ),
          ),
        )
        .where(({ not, exists, selectFrom, and }) =>
          and(
            (['release_commit', 'release_head', 'deploy'] as const).map((table) =>
              not(
                exists(selectFrom(table).select(`${table}.release_id`).whereRef(`${table}.release_id`, '=', 'old.id')),
              ),
            ),
          ),
        )
        .orderBy('seen.last_seen')
        .limit(forgottenAtOnce),
    )
    .returning('id')
    .execute();
  return forgotten.length;
}

interface Placed {
  readonly id: number;
  readonly one: SeenRelease;
}

async function widenProjects(trx: StateTransaction, placed: readonly Placed[]): Promise<void> {
  const rows = [...Map.groupBy(placed, ({ id, one }) => `${id}:${one.projectId}`).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ id: first.id, one: group.map(({ one }) => one).reduce(widened) }] : [];
  });
  if (!rows.length) return;
  await trx
    .insertInto('release_project')
    .values(
      rows.toSorted(byKey).map(({ id, one }) => ({
        release_id: id,
        project_id: one.projectId,
        first_seen: one.firstSeen,
        last_seen: one.lastSeen,
      })),
    )
    .onConflict((conflict) => conflict.columns(['release_id', 'project_id']).doUpdateSet(wider('release_project')))
    .execute();
}

async function widenEnvironments(trx: StateTransaction, placed: readonly Placed[]): Promise<void> {
  const rows = placed.filter(({ one }) => one.environment !== undefined && one.environment !== '');
  if (!rows.length) return;
  await trx
    .insertInto('release_environment')
    .values(
      rows.toSorted(byKey).map(({ id, one }) => ({
        release_id: id,
        project_id: one.projectId,
        environment: one.environment ?? '',
        first_seen: one.firstSeen,
        last_seen: one.lastSeen,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'project_id', 'environment']).doUpdateSet(wider('release_environment')),
    )
    .execute();
}

// Two batches lock in one order.
const byKey = (a: Placed, b: Placed): number =>
  a.id - b.id || a.one.projectId - b.one.projectId || ((a.one.environment ?? '') < (b.one.environment ?? '') ? -1 : 1);

/** `case` because the two-argument minimum has a different name on each database. */
function wider(table: 'release_project' | 'release_environment') {
  const [first, last] = [sql.ref(`${table}.first_seen`), sql.ref(`${table}.last_seen`)];
  return {
    first_seen: sql<number>`case when ${first} <= excluded.first_seen then ${first} else excluded.first_seen end`,
    last_seen: sql<number>`case when ${last} >= excluded.last_seen then ${last} else excluded.last_seen end`,
  };
}

/** The environments of releases: so many of each, those of deploys always. */
import type { StateTransaction } from '../../ports/state/state.ts';
import type { Newcomers } from './newcomers.ts';
import type { SeenRelease } from './note.ts';
import { wider } from './wider.ts';

interface PlacedEnvironment {
  readonly releaseId: number;
  readonly projectId: number;
  readonly environment: string;
  readonly one: SeenRelease;
}

interface Bounds {
  readonly now: number;
  readonly most: number;
  readonly newcomers: Newcomers;
}

/** Returns what found no room. */
export async function widenEnvironments(
  trx: StateTransaction,
  placed: readonly { readonly id: number; readonly one: SeenRelease }[],
  bounds: Bounds,
): Promise<ReadonlySet<SeenRelease>> {
  const rows = placed.flatMap(({ id, one }) =>
    one.environment ? [{ releaseId: id, projectId: one.projectId, environment: one.environment, one }] : [],
  );
  const entering: PlacedEnvironment[] = [];
  const full = await fullPairs(trx, rows, bounds.most);
  for (const [pair, ofPair] of Map.groupBy(rows, pairOf)) {
    const known = full.get(pair);
    entering.push(...(known || ofPair.length > bounds.most ? await fit(trx, ofPair, known, bounds) : ofPair));
  }
  if (entering.length) await upsert(trx, entering);
  const isIn = new Set(entering);
  return new Set(rows.flatMap((row) => (isIn.has(row) ? [] : [row.one])));
}

const pairOf = ({ releaseId, projectId }: PlacedEnvironment): string => `${releaseId} ${projectId}`;
const keyOf = (row: PlacedEnvironment): string => `${pairOf(row)} ${row.environment}`;

/** What the releases have that have no room for all that comes, by release and project. */
async function fullPairs(
  trx: StateTransaction,
  rows: readonly PlacedEnvironment[],
  most: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const full = new Map<string, Set<string>>();
  const ids = [...new Set(rows.map(({ releaseId }) => releaseId))];
  if (!ids.length) return full;
  const coming = Math.max(
    ...Map.groupBy(rows, pairOf)
      .values()
      .map((ofPair) => ofPair.length),
  );
  const crowded = await trx
    .selectFrom('release_environment')
    .select('release_id')
    .where('release_id', 'in', ids)
    .groupBy(['release_id', 'project_id'])
    .having(({ fn }) => fn.countAll(), '>', most - coming)
    .execute();
  if (!crowded.length) return full;
  const known = await trx
    .selectFrom('release_environment')
    .select(['release_id as releaseId', 'project_id as projectId', 'environment'])
    .where(
      'release_id',
      'in',
      crowded.map((row) => row.release_id),
    )
    .execute();
  for (const { releaseId, projectId, environment } of known) {
    const pair = `${releaseId} ${projectId}`;
    const names = full.get(pair) ?? new Set();
    full.set(pair, names.add(environment));
  }
  return full;
}

/** Those of one release in one project that are there, were deployed to, fit in, or come again and take another's place. */
async function fit(
  trx: StateTransaction,
  rows: readonly PlacedEnvironment[],
  known: ReadonlySet<string> = new Set(),
  { now, most, newcomers }: Bounds,
): Promise<PlacedEnvironment[]> {
  const [first] = rows;
  if (!first) return [];
  const deployed = await deployedTo(trx, first.releaseId);
  const sure = rows.filter(({ environment }) => known.has(environment) || deployed.has(environment));
  const others = rows.filter((row) => !sure.includes(row));
  const room = Math.max(0, most - known.size);
  const beyond = others.slice(room);
  const returned = beyond.filter((row) => newcomers.hasReturned(keyOf(row), now));
  const budget = { name: `environments ${pairOf(first)}`, most };
  const replacing = returned.slice(0, newcomers.allow(budget, returned.length, now));
  if (replacing.length) {
    // What was seen over the shortest time goes first, among those what was not seen for the longest.
    await trx
      .deleteFrom('release_environment')
      .where('release_id', '=', first.releaseId)
      .where('project_id', '=', first.projectId)
      .where('environment', 'in', (eb) =>
        eb
          .selectFrom('release_environment as old')
          .select('old.environment')
          .where('old.release_id', '=', first.releaseId)
          .where('old.project_id', '=', first.projectId)
          .$if(deployed.size > 0, (query) => query.where('old.environment', 'not in', [...deployed]))
          .orderBy((inner) => inner('old.last_seen', '-', inner.ref('old.first_seen')))
          .orderBy('old.last_seen')
          .limit(replacing.length),
      )
      .execute();
  }
  for (const row of replacing) newcomers.forget(keyOf(row));
  return [...sure, ...others.slice(0, room), ...replacing];
}

async function deployedTo(trx: StateTransaction, releaseId: number): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('deploy')
    .select('environment')
    .distinct()
    .where('release_id', '=', releaseId)
    .limit(1_000)
    .execute();
  return new Set(rows.map((row) => row.environment));
}

async function upsert(trx: StateTransaction, rows: readonly PlacedEnvironment[]): Promise<void> {
  await trx
    .insertInto('release_environment')
    .values(
      rows.toSorted(byKey).map((row) => ({
        release_id: row.releaseId,
        project_id: row.projectId,
        environment: row.environment,
        first_seen: row.one.firstSeen,
        last_seen: row.one.lastSeen,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'project_id', 'environment']).doUpdateSet(wider('release_environment')),
    )
    .execute();
}

// Two batches lock in one order.
const byKey = (a: PlacedEnvironment, b: PlacedEnvironment): number =>
  a.releaseId - b.releaseId || a.projectId - b.projectId || (a.environment < b.environment ? -1 : 1);

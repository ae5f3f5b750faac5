/**
 * The ledger's part about the engine: the same rows into the same table, without views, with all, and with all but each
 * of them, merges held back. Beside it a floor: hashing numbers, which is what the machine's speed means to the engine.
 */
import { openEvents } from '../server/src/ports/events/open.ts';
import { computeSlices, createBodies, recordsOf } from './computing.ts';
import { trackProcess } from './cleanup.ts';
import type { Line } from './ledger-lines.ts';
import { threadsUs } from './processes.ts';

/** As full batches of the pipeline are. */
const rowsEach = 1000;
/** Inserts of each set of views in a round. */
const turns = 3;
const floorNumbers = 20_000_000;

interface EngineOptions {
  readonly rounds: number;
  readonly eachView: boolean;
  readonly progress: (line: string) => void;
}

interface View {
  readonly name: string;
  readonly create_table_query: string;
}

/** On the stores that a server has left. */
export async function measureEngine(
  dataDir: string,
  { rounds, eachView, progress }: EngineOptions,
): Promise<{ readonly lines: readonly Line[]; readonly floorUs: number }> {
  const [slice] = computeSlices(recordsOf(createBodies(rowsEach, Date.now()), rowsEach));
  if (!slice) throw new Error('no rows were computed');
  const block = slice.errors.block();
  if (!block) throw new Error('no rows were computed');
  await using store = await openEvents({ url: '', dataDir });
  const { events, engine } = store;
  const pid = engine?.pid;
  if (pid === undefined) throw new Error('the engine has no process');
  trackProcess(pid);
  const used = async (work: () => Promise<unknown>): Promise<number> => {
    const before = threadsUs(pid);
    await work();
    return threadsUs(pid) - before;
  };
  await events.command('SYSTEM STOP MERGES');
  const views = (
    await events.query<View>(
      "SELECT name, create_table_query FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'",
    )
  )
    .filter(({ create_table_query: sql }) => /\bFROM (?:\w+\.)?`?errors`?\b/.test(sql))
    .map(({ name }) => name)
    .sort();
  const sets: readonly (readonly [name: string, attached: readonly string[]])[] = [
    ['none', []],
    ...(eachView ? views : []).map((view) => [view, views.filter((other) => other !== view)] as const),
    ['all', views],
  ];
  const attached = new Set(views);
  const attach = async (wanted: readonly string[]): Promise<void> => {
    for (const view of views) {
      if (wanted.includes(view) === attached.has(view)) continue;
      await events.command(`${attached.has(view) ? 'DETACH' : 'ATTACH'} TABLE ${view}`);
      if (!attached.delete(view)) attached.add(view);
    }
  };

  const costs = new Map<string, number>();
  let floorUs = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const floor = await used(() =>
      events.query(`SELECT sum(sipHash64(number)) AS hash FROM numbers(${floorNumbers}) SETTINGS max_threads = 1`),
    );
    // The first one warms up.
    if (round > 0) floorUs = Math.min(floorUs, floor);
    for (const [name, wanted] of sets) {
      await attach(wanted);
      for (let turn = 0; turn < turns; turn++) {
        const cost = await used(() => events.insertBlock('errors', block, `ledger-${round}-${name}-${turn}`));
        if (round > 0) costs.set(name, Math.min(costs.get(name) ?? Number.POSITIVE_INFINITY, cost / rowsEach));
      }
    }
    progress(`engine, round ${round} of ${rounds}`);
  }
  await events.command('SYSTEM START MERGES');
  const [bare = Number.NaN, all = Number.NaN] = ['none', 'all'].map((name) => costs.get(name));
  return {
    floorUs: floorUs / rowsEach,
    lines: [
      { part: 'engine', name: 'insert without views', us: bare },
      { part: 'engine', name: 'views together', us: all - bare },
      ...sets.slice(1, -1).map(([name]): Line => {
        const without = costs.get(name) ?? Number.NaN;
        return { part: 'views', name, us: Math.max(0, all - without) };
      }),
    ],
  };
}

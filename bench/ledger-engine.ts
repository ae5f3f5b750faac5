/**
 * The ledger's part about the engine: the same rows into the same table, without views, with all, and with all but each
 * of them, merges held back; as many as a full batch has and as few as one at 200 events/s. Beside it a floor: hashing numbers, which is what the machine's speed means to the engine.
 */
import type { Block } from '../server/src/ports/events/blocks/encode.ts';
import { openEvents } from '../server/src/ports/events/open.ts';
import type { PayloadBatch } from '../server/src/ports/payloads/payloads.ts';
import { computeSlices, createBodies, recordsOf } from './computing.ts';
import { trackProcess } from './cleanup.ts';
import type { Line } from './ledger-lines.ts';
import { threadsUs } from './processes.ts';

/** As full batches of the pipeline are. */
const rowsEach = 1000;
/** As batches are at 200 events/s: what an insert costs however few rows it has is most of it. */
const fewRows = 60;
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
  // What is compared with the committed ledger stays the same few lines.
  const sizes = (eachView ? [rowsEach, fewRows] : [rowsEach]).map((rows) => ({
    rows,
    block: blockOf(rows),
    costs: new Map<string, number>(),
  }));
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

  let floorUs = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const floor = await used(() =>
      events.query(`SELECT sum(sipHash64(number)) AS hash FROM numbers(${floorNumbers}) SETTINGS max_threads = 1`),
    );
    // The first one warms up.
    if (round > 0) floorUs = Math.min(floorUs, floor);
    for (const [name, wanted] of sets) {
      await attach(wanted);
      for (const { rows, block, costs } of sizes) {
        for (let turn = 0; turn < turns; turn++) {
          const cost = await used(() => events.insertBlock('errors', block, `ledger-${rows}-${round}-${name}-${turn}`));
          if (round > 0) costs.set(name, Math.min(costs.get(name) ?? Number.POSITIVE_INFINITY, cost / rows));
        }
      }
    }
    progress(`engine, round ${round} of ${rounds}`);
  }
  await events.command('SYSTEM START MERGES');
  return {
    floorUs: floorUs / rowsEach,
    lines: sizes.flatMap(({ rows, costs }): Line[] => {
      const of = rows === rowsEach ? '' : `, ${rows} rows`;
      const [bare = Number.NaN, all = Number.NaN] = ['none', 'all'].map((name) => costs.get(name));
      return [
        { part: 'engine', name: `insert without views${of}`, us: bare },
        { part: 'engine', name: `views together${of}`, us: all - bare },
        ...sets.slice(1, -1).map(([name]): Line => {
          const without = costs.get(name) ?? Number.NaN;
          return { part: 'views', name: `${name}${of}`, us: Math.max(0, all - without) };
        }),
      ];
    }),
  };
}

/** Their payloads lie elsewhere, as they do in the program. */
function blockOf(rows: number): Block {
  let ordinal = 0;
  const payloads = (): PayloadBatch => ({
    add: () => ({ segment: 1, ordinal: ordinal++ }),
    textOf: () => '',
    [Symbol.dispose]: () => {},
  });
  const [slice] = computeSlices(recordsOf(createBodies(rows, Date.now()), rows), { payloads });
  const block = slice?.errors.block();
  if (!block) throw new Error('no rows were computed');
  return block;
}

/**
 * Engines with all tables and no rows, for tests. A start and an end take a second of a core, and more than a hundred files
 * of tests want one: so what a file leaves is emptied, in a tenth of that, and is there for the next one of its process.
 */
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickHouse } from '../clickhouse.ts';
import type { Events } from '../events.ts';
import { type EngineSupervisor, startEngine } from '../supervisor.ts';
import { writeClusterConfig } from './cluster.ts';
import { layTables } from './template.ts';

export interface TestEngine {
  readonly engine: EngineSupervisor;
  /** What its tables are as long as nobody changes them. */
  readonly shape: string;
  /** Stops it; its files go with it. */
  stop(): Promise<void>;
}

let unused: TestEngine | undefined;
let limit: NodeJS.Timeout | undefined;
/** Afterwards it is stopped: a hundredth of a core is what it takes while nobody asks anything of it. */
const unusedMs = 30_000;

export async function takeEngine(): Promise<TestEngine> {
  clearTimeout(limit);
  const found = unused;
  unused = undefined;
  if (found && (await answers(found.engine))) return found;
  await found?.stop();
  return startTestEngine();
}

/** Its supervisor takes it for one that hangs, and ends it, where a test keeps this thread busy for so long. */
async function answers(engine: EngineSupervisor): Promise<boolean> {
  if (engine.state !== 'ready') return false;
  await using events = openClickHouse(engine.address);
  return events.query('SELECT 1').then(
    () => true,
    () => false,
  );
}

/** For the next one, where nothing but rows is left in it; else it is stopped. */
export async function giveBackEngine(taken: TestEngine): Promise<void> {
  if (unused || !(await clear(taken).catch(() => false)) || unused) return taken.stop();
  unused = taken;
  limit = setTimeout(() => {
    unused = undefined;
    void taken.stop();
  }, unusedMs).unref();
}

async function startTestEngine(): Promise<TestEngine> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-engine-'));
  await layTables(dir);
  const engine = await startEngine({ dataDir: join(dir, 'events'), configFile: writeClusterConfig(dir) });
  const remove = removeAtEnd(dir, engine.pid ?? 0);
  const stop = async (): Promise<void> => {
    await engine.stop();
    remove();
  };
  await using events = openClickHouse(engine.address);
  return { engine, shape: await shapeOf(events), stop };
}

/** Removes a directory once this process has ended, however that came about, and the engine after it; or when it is told. */
function removeAtEnd(dir: string, pid: number): () => void {
  const script = `cat > /dev/null
left=100
while [ $left -gt 0 ] && kill -0 "$1" 2> /dev/null; do left=$((left - 1)); sleep 0.1; done
rm -rf "$0"`;
  const remover = spawn('sh', ['-c', script, dir, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  return () => remover.stdin.end();
}

const own = `database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`;

async function shapeOf(events: Events): Promise<string> {
  const tables = await events.query(
    `SELECT database, name, create_table_query FROM system.tables WHERE ${own} ORDER BY database, name`,
  );
  return JSON.stringify(tables);
}

/** False where more than rows was changed, or something is still at work in it. */
async function clear({ engine, shape }: TestEngine): Promise<boolean> {
  await using events = openClickHouse(engine.address);
  const [left] = await events.query<{ changes: number; others: number }>(
    `SELECT (SELECT count() FROM system.mutations WHERE NOT is_done) AS changes,
       (SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%') AS others`,
  );
  if (left?.changes !== 0 || left.others !== 0 || (await shapeOf(events)) !== shape) return false;
  const filled = await events.query<{ name: string }>(
    `SELECT DISTINCT concat(database, '.', table) AS name FROM system.parts
     WHERE active AND ${own} AND table <> 'schema_migrations'`,
  );
  for (const { name } of filled) await events.command(`TRUNCATE TABLE ${name}`);
  return true;
}

/** What a benchmark starts or creates is gone when it ends, also on Ctrl-C. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, processTree } from './processes.ts';

const pids = new Set<number>();
const dirs = new Set<string>();

/** Longer than the server takes for a graceful stop. */
const stopMs = 12_000;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `keep`, made if it is not there, where filled stores stay; else a directory that `removeTempDir` removes. */
export function makeRoot(keep?: string, parent?: string): string {
  if (!keep) return makeTempDir(parent);
  mkdirSync(keep, { recursive: true });
  return keep;
}

/** A directory of its own below `parent`, or below the system's for temporary files. */
export function makeTempDir(parent?: string): string {
  const dir = mkdtempSync(join(parent ?? tmpdir(), 'culprit-bench-'));
  dirs.add(dir);
  return dir;
}

export function removeTempDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  dirs.delete(dir);
}

/** The process is stopped with the benchmark unless it has ended before. */
export function trackProcess(pid: number): void {
  pids.add(pid);
}

/** Asks the process to stop, waits, and ends what of it and of its children is left. */
export async function stopProcess(pid: number): Promise<void> {
  if (!pids.delete(pid)) return;
  const tree = processTree(pid);
  signal(pid, 'SIGTERM');
  for (const deadline = Date.now() + stopMs; Date.now() < deadline && tree.some(isAlive);) await delay(50);
  for (const left of tree) if (isAlive(left)) signal(left, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

async function cleanUp(): Promise<void> {
  await Promise.all([...pids].map(stopProcess));
  for (const dir of dirs) removeTempDir(dir);
}

/** Runs a benchmark and clears up after it, however it ends. */
export async function runAndCleanUp(run: () => Promise<void>): Promise<void> {
  const onSignal = (name: NodeJS.Signals): void => {
    process.stderr.write(`\n${name}: stopping what was started\n`);
    void cleanUp().finally(() => process.exit(130));
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    await run();
  } finally {
    await cleanUp();
  }
}

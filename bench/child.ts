/** Child processes of the benchmarks, each of which ends with the benchmark. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { stopProcess, trackProcess } from './cleanup.ts';
import type { FloorReady } from './floor.ts';
import type { LoadLine, LoadResult } from './load.ts';

export const projectDir = fileURLToPath(new URL('../', import.meta.url));

/** Starts Node on a file of this project. What it writes to stderr goes to `logFile`, or to ours. */
export function startNode(
  file: string,
  args: readonly string[],
  { logFile, environment = {} }: { logFile?: string; environment?: Readonly<Record<string, string>> } = {},
): ChildProcess & { pid: number } {
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const child = spawn(process.execPath, [file, ...args], {
    cwd: projectDir,
    stdio: ['pipe', 'pipe', log ?? 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (log !== undefined) closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} could not be started`);
  trackProcess(pid);
  return Object.assign(child, { pid });
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
  if (!child.stdout) return;
  yield* createInterface({ input: child.stdout });
}

export interface RunningFloor {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

export const startFloor = (dir: string): Promise<RunningFloor> => startFloorOf('bench/floor.ts', dir);

/** The one that stores, too. */
export const startStoredFloor = (dir: string): Promise<RunningFloor> => startFloorOf('bench/stored-floor.ts', dir);

async function startFloorOf(file: string, dir: string): Promise<RunningFloor> {
  const child = startNode(file, ['--dir', dir]);
  for await (const line of linesOf(child)) {
    const { port } = JSON.parse(line) as FloorReady;
    return { pid: child.pid, url: `http://127.0.0.1:${port}/api/1/envelope/`, stop: () => stopProcess(child.pid) };
  }
  throw new Error('the floor did not start');
}

export interface LoadOptions {
  readonly corpus: string;
  readonly url: string;
  readonly key?: string;
  readonly encoding: string;
  readonly contentType?: string;
  /** A file of projects that take turns. */
  readonly targets?: string;
  readonly connections: number;
  /** Requests a second; as fast as they are answered when left out. */
  readonly rate?: number;
  readonly markEvery?: number;
  readonly onMark?: (mark: Extract<LoadLine, { kind: 'sent' }>) => void;
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const child = startNode('bench/load.ts', [
    `--corpus=${options.corpus}`,
    `--url=${options.url}`,
    `--encoding=${options.encoding}`,
    `--connections=${options.connections}`,
    ...(options.key ? [`--key=${options.key}`] : []),
    ...(options.targets ? [`--targets=${options.targets}`] : []),
    ...(options.contentType ? [`--content-type=${options.contentType}`] : []),
    `--rate=${options.rate ?? 0}`,
    `--mark-every=${options.markEvery ?? 0}`,
  ]);
  let result: LoadResult | undefined;
  for await (const text of linesOf(child)) {
    const line = JSON.parse(text) as LoadLine;
    if (line.kind === 'done') result = line.result;
    else options.onMark?.(line);
  }
  await stopProcess(child.pid);
  if (!result) throw new Error('the load generator ended without a result');
  return result;
}

/** What `culprit doctor` finds of the machine: the port, the clock, memory, and who may read the data. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../base/config.ts';
import { doctor as texts } from '../base/texts/cli.ts';
import { openState } from '../ports/state/open.ts';
import { runningFile } from '../running.ts';
import type { Finding } from './doctor.ts';

type Found = Omit<Finding, 'what'>;

const gibibyte = 1024 ** 3;

/** The engine merges in what is left beside the program and its threads. */
const enoughMemoryBytes = gibibyte;
const lowMemoryBytes = 256 * 1024 ** 2;

/** Spans are put in order by clocks; more than that is seen in a trace. */
const clockDriftMs = 2_000;
/** What was written lies in the future by so much: the clock went back. */
const clockBackMs = 60_000;

/** Whether a server could listen; asked while none runs. */
export async function checkPort({ host, port }: Config): Promise<Found> {
  if (port === 0) return { state: 'ok', detail: texts.portAny };
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
  if (code === undefined) return { state: 'ok', detail: texts.portFree(host, port) };
  const detail =
    code === 'EADDRINUSE'
      ? texts.portTaken(host, port)
      : code === 'EACCES'
        ? texts.portForbidden(port)
        : texts.portFailed(host, port, code);
  return { state: 'failed', detail };
}

export function checkMemory(): Found {
  const limit = process.constrainedMemory();
  // Without a limit the number is that of all addresses.
  const bytes = limit > 0 && limit < totalmem() ? limit : totalmem();
  const available = process.availableMemory();
  const gibibytes = (count: number): string => (count / gibibyte).toFixed(1);
  if (bytes < enoughMemoryBytes) return { state: 'warning', detail: texts.memorySmall(gibibytes(bytes)) };
  if (available < lowMemoryBytes) {
    return { state: 'warning', detail: texts.memoryLow(gibibytes(available), gibibytes(bytes)) };
  }
  return { state: 'ok', detail: texts.memory(gibibytes(available), gibibytes(bytes)) };
}

/** Of the data directory: what is wrong with its owner or its mode; undefined where nothing is. */
export async function wrongRights(dataDir: string): Promise<Found | undefined> {
  const { uid, mode } = await stat(dataDir);
  const own = process.getuid?.();
  // Root reads everything, and is not meant to run the server on somebody's data.
  if (own !== undefined && uid !== own) return { state: 'warning', detail: texts.otherOwner(dataDir, uid, own) };
  if ((mode & 0o077) !== 0) return { state: 'warning', detail: texts.readable(dataDir) };
  return undefined;
}

/** When anything in the data directory was written last, ms; undefined where there is nothing. */
async function lastWritten(dataDir: string): Promise<number | undefined> {
  if (!existsSync(dataDir)) return undefined;
  const paths = (await readdir(dataDir)).map((name) => join(dataDir, name));
  const times = await Promise.all([runningFile(dataDir), ...paths].map((path) => stat(path).catch(() => undefined)));
  return Math.max(0, ...times.flatMap((found) => found?.mtimeMs ?? []));
}

/** By how much the database's clock is ahead of ours, ms, at least; halfway between asking and the answer. */
async function databaseAheadMs(config: Config): Promise<number> {
  await using state = await openState({ url: config.stateUrl, dataDir: config.dataDir });
  const asked = Date.now();
  const { rows } = await sql<{
    ms: number | string;
  }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(state.db);
  return Number(rows[0]?.ms) - (asked + Date.now()) / 2;
}

/** `proxyAheadMs`: of the machine that answers for the public address, where another does. */
export async function checkClock(config: Config, proxyAheadMs: number | undefined): Promise<Found> {
  const last = (await lastWritten(config.dataDir)) ?? 0;
  const backMs = last - Date.now();
  if (backMs > clockBackMs) return { state: 'failed', detail: texts.clockBack(Math.round(backMs / 1000)) };
  const others: (readonly [string, number])[] = [];
  if (config.stateUrl) others.push(['PostgreSQL', await databaseAheadMs(config)]);
  // The header says whole seconds.
  if (proxyAheadMs !== undefined)
    others.push([config.url, Math.sign(proxyAheadMs) * Math.max(0, Math.abs(proxyAheadMs) - 1_000)]);
  const drifted = others.find(([, aheadMs]) => Math.abs(aheadMs) > clockDriftMs);
  if (drifted) return { state: 'warning', detail: texts.clockDrift(drifted[0], Math.round(drifted[1] / 1000)) };
  return {
    state: 'ok',
    detail: texts.clock(
      new Date().toISOString().slice(0, 19),
      others.map(([name]) => name),
    ),
  };
}

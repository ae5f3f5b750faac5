/** One turn of the floor and one of Culprit: warmed up, loaded, watched until everything is stored. */
import { mkdirSync } from 'node:fs';
import { runLoad, type RunningFloor, startFloor, startStoredFloor } from './child.ts';
import { removeTempDir } from './cleanup.ts';
import type { Encoding } from './corpus.ts';
import { type Account, createApi, type Culprit } from './culprit.ts';
import { type Kind, targetOf } from './ingest-kinds.ts';
import { countStored, readBacklog, waitUntilStored } from './intake.ts';
import type { LoadResult } from './load.ts';
import { processTree, processUse } from './processes.ts';
import {
  type CpuUse,
  idleAfterMs,
  measureCpu,
  measureOthers,
  type MemoryUse,
  readMemory,
  sampleEvery,
  waitForCalm,
} from './usage.ts';

export interface FloorTurn {
  readonly load: LoadResult;
  readonly perSecond: number;
  /** ms for one unit. */
  readonly cpuMs: number;
  /** Cores busy with something else. */
  readonly others: number;
}

export interface StoredFloorTurn {
  readonly drainedPerSecond: number;
  /** Of all its processes, ms for one unit. */
  readonly cpuMs: number;
}

export interface CulpritTurn {
  readonly load: LoadResult;
  /** Units, of which an envelope has one or several. */
  readonly accepted: number;
  /** Accepted before the measurement. */
  readonly warmUp: number;
  readonly acceptedPerSecond: number;
  readonly drainedPerSecond: number;
  /** From the last answer to the last event stored. */
  readonly restSeconds: number;
  readonly backlog: number;
  readonly lagSeconds: number;
  readonly cpu: CpuUse;
  readonly idle: MemoryUse;
  readonly loaded: MemoryUse;
  /** A while after the last event was stored. */
  readonly after: MemoryUse;
  readonly readyMs: number;
  readonly others: number;
}

const restMs = 20_000;

interface Files {
  readonly warmUp: string;
  readonly corpus: string;
}

export interface Turn extends Files {
  readonly kind: Kind;
  readonly connections: number;
  readonly encoding: Encoding;
}

const seconds = ({ startedAtMs, finishedAtMs }: LoadResult): number => (finishedAtMs - startedAtMs) / 1000;
const answered = (load: LoadResult): number => load.statuses['200'] ?? 0;

export async function floorTurn(dir: string, turn: Turn): Promise<FloorTurn> {
  mkdirSync(dir);
  const floor = await startFloor(dir);
  const target = { ...turn, url: floor.url, contentType: turn.kind.contentType };
  await runLoad({ ...target, corpus: turn.warmUp });
  await waitForCalm();
  const others = measureOthers();
  const before = processUse(floor.pid).cpuSeconds;
  const load = await runLoad(target);
  const cpuSeconds = processUse(floor.pid).cpuSeconds - before;
  const busy = others();
  await floor.stop();
  removeTempDir(dir);
  const taken = answered(load) * turn.kind.each;
  return { load, perSecond: taken / seconds(load), cpuMs: (cpuSeconds * 1000) / taken, others: busy };
}

/** So long without progress, ms: what is missing is lost. */
const stalledMs = 20_000;

/** Of errors: it knows no other kind. */
export async function storedFloorTurn(dir: string, turn: Turn): Promise<StoredFloorTurn> {
  mkdirSync(dir);
  const floor = await startStoredFloor(dir);
  const target = { ...turn, url: floor.url, contentType: turn.kind.contentType };
  const cpuSeconds = (): number => processTree(floor.pid).reduce((sum, pid) => sum + processUse(pid).cpuSeconds, 0);
  const warmUp = answered(await runLoad({ ...target, corpus: turn.warmUp }));
  await storedFrom(floor, warmUp);
  await waitForCalm();
  const before = cpuSeconds();
  const load = await runLoad(target);
  const taken = answered(load);
  const atMs = await storedFrom(floor, warmUp + taken);
  const used = cpuSeconds() - before;
  await floor.stop();
  removeTempDir(dir);
  return { drainedPerSecond: taken / ((atMs - load.startedAtMs) / 1000), cpuMs: (used * 1000) / taken };
}

/** Waits until so many are stored. Resolves to the time, ms since the epoch. */
async function storedFrom({ url }: RunningFloor, expected: number): Promise<number> {
  let known = -1;
  for (let since = Date.now(); Date.now() - since < stalledMs;) {
    const stored = Number(await (await fetch(url)).text());
    if (stored >= expected) return Date.now();
    if (stored !== known) since = Date.now();
    known = stored;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the stored floor stands still at ${known} of ${expected}`);
}

export async function culpritTurn(culprit: Culprit, account: Account, turn: Turn): Promise<CulpritTurn> {
  const api = createApi(culprit, account);
  try {
    await new Promise((resolve) => setTimeout(resolve, idleAfterMs));
    const idle = readMemory(culprit);
    const { kind } = turn;
    const target = { ...turn, ...targetOf(culprit, account, kind) };
    const before = await countStored(api, kind);
    const warmUp = answered(await runLoad({ ...target, corpus: turn.warmUp })) * kind.each;
    await waitUntilStored(api, before + warmUp, kind);

    await waitForCalm();
    let loaded = readMemory(culprit);
    let backlog = 0;
    let lagSeconds = 0;
    const memory = sampleEvery(1000, () => {
      const now = readMemory(culprit);
      if (now.totalMb > loaded.totalMb) loaded = now;
    });
    const waiting = sampleEvery(250, async () => {
      const now = await readBacklog(api);
      backlog = Math.max(backlog, now.records);
      lagSeconds = Math.max(lagSeconds, now.lagSeconds);
    });
    const used = measureCpu(culprit);
    const others = measureOthers();
    const load = await runLoad(target);
    const accepted = answered(load) * kind.each;
    const { atMs } = await waitUntilStored(api, before + warmUp + accepted, kind);
    const cpu = used();
    const busy = others();
    await Promise.all([memory.stop(), waiting.stop()]);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const after = readMemory(culprit);
    return {
      load,
      accepted,
      warmUp,
      acceptedPerSecond: accepted / seconds(load),
      drainedPerSecond: accepted / ((atMs - load.startedAtMs) / 1000),
      restSeconds: Math.max(0, (atMs - load.finishedAtMs) / 1000),
      backlog,
      lagSeconds,
      cpu,
      idle,
      loaded,
      after,
      readyMs: culprit.readyMs,
      others: busy,
    };
  } finally {
    api.close();
  }
}

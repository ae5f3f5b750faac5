/** Processor time and memory of Culprit's processes over a stretch of work. */
import type { Culprit } from './culprit.ts';
import { machineBusySeconds, memorySize, type MemorySize, processTree, processUse, threadUse } from './processes.ts';

export interface MemoryUse {
  /** Private and dirty, of both. */
  readonly dirtyMb: number;
  readonly serverMb: number;
  readonly engineMb: number;
  readonly totalMb: number;
  /** The part that is mapped files. */
  readonly mappedMb: number;
}

export interface CpuUse {
  readonly serverSeconds: number;
  readonly engineSeconds: number;
  /** Of the threads of both, by name; those that ended meanwhile are not in it. */
  readonly serverThreads: ReadonlyMap<string, number>;
  readonly engineThreads: ReadonlyMap<string, number>;
}

const megabyte = 1024 * 1024;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function readMemory(culprit: Culprit): MemoryUse {
  const { server, engine } = culprit.tree();
  const ofServer = server.map(memorySize);
  const ofEngine = engine.map(memorySize);
  const megabytes = (sizes: readonly MemorySize[], part: keyof MemorySize): number =>
    sum(sizes.map((size) => size[part])) / megabyte;
  return {
    dirtyMb: megabytes([...ofServer, ...ofEngine], 'dirtyBytes'),
    serverMb: megabytes(ofServer, 'totalBytes'),
    engineMb: megabytes(ofEngine, 'totalBytes'),
    totalMb: megabytes([...ofServer, ...ofEngine], 'totalBytes'),
    mappedMb: megabytes([...ofServer, ...ofEngine], 'mappedBytes'),
  };
}

function threads(pids: readonly number[]): Map<string, number> {
  return new Map(pids.flatMap(threadUse).map(({ name, cpuSeconds }) => [name, cpuSeconds]));
}

const since = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));

function readCpu(culprit: Culprit): CpuUse {
  const { server, engine } = culprit.tree();
  const seconds = (pids: readonly number[]): number => sum(pids.map((pid) => processUse(pid).cpuSeconds));
  return {
    serverSeconds: seconds(server),
    engineSeconds: seconds(engine),
    serverThreads: threads(server),
    engineThreads: threads(engine),
  };
}

/** Starts counting; the returned function gives what was used since. */
export function measureCpu(culprit: Culprit): () => CpuUse {
  const before = readCpu(culprit);
  return () => {
    const after = readCpu(culprit);
    return {
      serverSeconds: after.serverSeconds - before.serverSeconds,
      engineSeconds: after.engineSeconds - before.engineSeconds,
      serverThreads: since(after.serverThreads, before.serverThreads),
      engineThreads: since(after.engineThreads, before.engineThreads),
    };
  };
}

/** Cores that were busy with anything but this benchmark: when it is not near 0, rates say little and ratios less. */
export function measureOthers(): () => number {
  const own = (): number =>
    sum(
      processTree(process.pid)
        .map(processUse)
        .map(({ cpuSeconds, endedSeconds }) => cpuSeconds + endedSeconds),
    );
  const before = { atMs: performance.now(), busy: machineBusySeconds(), own: own() };
  return () => {
    const busy = machineBusySeconds() - before.busy - (own() - before.own);
    return Math.max(0, busy) / ((performance.now() - before.atMs) / 1000);
  };
}

/** By then a server has given back what its start left. */
export const idleAfterMs = 12_000;

const calmCores = 0.3;
const calmWithinMs = 60_000;

/** Waits until the machine has nothing else to do, but not for ever; says whether it came to that. */
export async function waitForCalm(): Promise<boolean> {
  for (const deadline = Date.now() + calmWithinMs; Date.now() < deadline;) {
    const others = measureOthers();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    if (others() < calmCores) return true;
  }
  return false;
}

/** Calls `read` every `everyMs` until stopped, never twice at once; what it throws is left out. */
export function sampleEvery(everyMs: number, read: () => Promise<void> | void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await read();
      } catch {
        // The next sample may succeed.
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

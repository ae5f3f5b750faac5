/** Processor time and memory of Culprit's processes over a stretch of work. */
import type { Culprit } from './culprit.ts';
import { memoryBytes, processUse, threadUse } from './processes.ts';

export interface MemoryUse {
  readonly serverMb: number;
  readonly engineMb: number;
  readonly totalMb: number;
}

export interface CpuUse {
  readonly serverSeconds: number;
  readonly engineSeconds: number;
  /** Of the server's threads, by name. */
  readonly threads: ReadonlyMap<string, number>;
}

const megabyte = 1024 * 1024;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function readMemory(culprit: Culprit): MemoryUse {
  const { server, engine } = culprit.tree();
  const serverMb = sum(server.map(memoryBytes)) / megabyte;
  const engineMb = sum(engine.map(memoryBytes)) / megabyte;
  return { serverMb, engineMb, totalMb: serverMb + engineMb };
}

function readCpu(culprit: Culprit): CpuUse {
  const { server, engine } = culprit.tree();
  const seconds = (pids: readonly number[]): number => sum(pids.map((pid) => processUse(pid).cpuSeconds));
  return {
    serverSeconds: seconds(server),
    engineSeconds: seconds(engine),
    threads: new Map(threadUse(culprit.pid).map(({ name, cpuSeconds }) => [name, cpuSeconds])),
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
      threads: new Map([...after.threads].map(([name, seconds]) => [name, seconds - (before.threads.get(name) ?? 0)])),
    };
  };
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

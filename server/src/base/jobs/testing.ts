/** Jobs of one node that shares nothing with others. For tests. */
import { createFailures, type Failures } from '../self/index.ts';
import type { Job } from './job.ts';
import { openLoop } from './loop.ts';

export interface LoopsOptions {
  readonly failures?: Failures;
  readonly node?: string;
  /** Of all of them, in place of their own. */
  readonly everyMs?: number;
}

const silent = createFailures({ logger: { error: () => {} } });

export function openLoops(
  jobs: readonly Job[],
  { failures = silent, node = 'test', everyMs }: LoopsOptions = {},
): AsyncDisposable {
  const loops = jobs.map((job) =>
    openLoop(everyMs === undefined ? job : { ...job, everyMs, firstMs: 0 }, { node, failures }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
    },
  };
}

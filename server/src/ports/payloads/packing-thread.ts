/**
 * The thread that packs segments, one after the other. Reading all of them again would leave their megabytes in a heap that
 * others wait for.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { packSegment } from './pack.ts';

export interface PackingSetup {
  readonly dir: string;
  readonly segments: readonly {
    readonly segment: number;
    /** Ordinals; all that were not erased unless given. */
    readonly wanted?: Uint32Array;
  }[];
}

const { dir, segments } = workerData as PackingSetup;
runInBackground();
for (const { segment, wanted } of segments) {
  await packSegment(dir, segment, wanted ? new Set(wanted) : { has: () => true });
  // Its number: it is another one now.
  parentPort?.postMessage(segment, []);
}

/** The thread that packs one segment. Reading all of it again would leave its megabytes in a heap that others wait for. */
import { workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { packSegment } from './pack.ts';

export interface PackingSetup {
  readonly dir: string;
  readonly segment: number;
  /** Ordinals. */
  readonly wanted: Uint32Array;
}

const { dir, segment, wanted } = workerData as PackingSetup;
runInBackground();
await packSegment(dir, segment, new Set(wanted));

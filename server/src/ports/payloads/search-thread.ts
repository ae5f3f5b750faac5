/** The thread that looks through segments, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import type { SoughtText } from '../../base/sought-text.ts';
import { OpenSegment } from './open-segment.ts';
import { searchSegment } from './search.ts';

export interface SearchSetup {
  readonly dir: string;
  readonly segments: readonly number[];
  readonly sought: readonly SoughtText[];
}

/** Of each segment, with or without any. */
export interface SearchedSegment {
  readonly segment: number;
  readonly ordinals: readonly number[];
}

const { dir, segments, sought } = workerData as SearchSetup;
runInBackground();
for (const segment of segments) {
  await using source = await OpenSegment.open(dir, segment);
  const ordinals = source ? await searchSegment(source, sought) : [];
  parentPort?.postMessage({ segment, ordinals } satisfies SearchedSegment, []);
}

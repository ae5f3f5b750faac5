/** The indexing thread: one bundle at a time, with a heap of its own that a map may exhaust without harm to others. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../../base/background-thread.ts';
import { openBlobs } from '../../../ports/blobs/open.ts';
import { CodedError } from '../../../base/errors.ts';
import { openState } from '../../../ports/state/open.ts';
import { indexBundle } from './index-bundle.ts';
import { steadyMs } from '../../../base/steady.ts';
import { type FromIndexing, type IndexingSetup, progressSlots, type ToIndexing } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('the indexing thread is started by the indexer, not by hand');
runInBackground();
const setup = workerData as IndexingSetup;
const progress = new Float64Array(setup.progress);
const state = await openState(setup.state);
const blobs = openBlobs(setup.blobs);

// A map is bytes outside of the heap, of which the collector waits for 64 MB of dead ones before it begins by itself.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void;

const onPair = (number: number): void => {
  collect({ type: 'minor' });
  progress[progressSlots.since] = steadyMs();
  progress[progressSlots.pair] = number;
};

async function run({ bundleId, node, skip }: ToIndexing): Promise<FromIndexing> {
  try {
    return { kind: 'done', bundle: await indexBundle({ state, blobs, node, skip, onPair }, bundleId) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', stack, expected: error instanceof CodedError };
  }
}

port.on('message', async (message: ToIndexing) => {
  port.postMessage(await run(message));
});

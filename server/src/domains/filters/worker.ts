/** The thread of one preview: hundreds of events are read, which would hold up requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { createFilterPreview } from '../../process/steps/filters/preview.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('the thread of a preview is started by the server, not by hand');
const { payloads, patterns } = workerData as PreviewSetup;

runInBackground();
port.postMessage(payloads.map(createFilterPreview(patterns)) satisfies FromPreview);

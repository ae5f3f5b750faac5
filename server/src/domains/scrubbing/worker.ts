/** The thread of one preview: rules that nobody has tried yet may take their time. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { loadPatterns, previewEvent } from '../../process/steps/scrub/index.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('the thread of a preview is started by the server, not by hand');
const { payloads, settings } = workerData as PreviewSetup;

runInBackground();
await loadPatterns();
port.postMessage(payloads.map((payload) => previewEvent(payload, settings)) satisfies FromPreview);

/** The thread of one preview: rules that nobody has tried yet may take their time. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { loadPatterns, previewEvent, previewLog, previewSpan } from '../../process/steps/scrub/index.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('the thread of a preview is started by the server, not by hand');
const { payloads, spans, logs, settings } = workerData as PreviewSetup;

runInBackground();
await loadPatterns();
port.postMessage({
  events: payloads.map((payload) => previewEvent(payload, settings)),
  spans: spans.map((span) => previewSpan(span, settings)),
  logs: logs.map((log) => previewLog(log, settings)),
} satisfies FromPreview);

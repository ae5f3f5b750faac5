/** Rules that are not saved yet, on the newest events, spans and logs that are stored: what each would change. */
import { CodedError } from '../../base/errors.ts';
import { runThread } from '../../base/jobs/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { PreviewedEvent, ScrubSettings } from '../../process/steps/scrub/index.ts';
import { type EventKey, readEvents } from '../resymbolicate/index.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';
import { newestLogs, newestSpans } from './rows.ts';

interface Looked extends PreviewedEvent {
  readonly title: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface ScrubbingPreview {
  /** What was looked at, the newest first. */
  readonly events: readonly (Looked & { readonly id: string })[];
  readonly spans: readonly (Looked & { readonly id: string; readonly traceId: string })[];
  readonly logs: readonly Looked[];
  readonly durationMs: number;
}

export interface PreviewRequest {
  readonly projectId: number;
  /** With the rules that are tried. */
  readonly settings: ScrubSettings;
  /** Events, and as many spans and logs. */
  readonly limit: number;
  /** ms since the epoch; what is older is not looked for. */
  readonly sinceMs: number;
  /** Of who asks. */
  readonly signal?: AbortSignal | undefined;
}

/** Rules that take longer for so few events would hold up all others. */
const limitSeconds = 15;
const memory = { oldMb: 256, youngMb: 16 };
const maxRunning = 2;
const maxTitle = 200;
let running = 0;

/** Throws QUERY_TIMEOUT for rules that take too long, PREVIEWS_FULL while enough are running. */
export async function previewScrubbing(events: Events, request: PreviewRequest): Promise<ScrubbingPreview> {
  if (running >= maxRunning) throw new CodedError('PREVIEWS_FULL');
  running++;
  try {
    const options = { maxExecutionSeconds: limitSeconds, ...(request.signal && { signal: request.signal }) };
    const [stored, spans, logs] = await Promise.all([
      newestEvents(events, request, options),
      newestSpans(events, request, options),
      newestLogs(events, request, options),
    ]);
    const started = performance.now();
    const payloads = stored.map(({ payload }) => payload);
    const isNothing = stored.length + spans.length + logs.length === 0;
    const { settings, signal } = request;
    const previewed = isNothing ? undefined : await inThread({ payloads, spans, logs, settings }, signal);
    return {
      events: stored.map(({ id, title, at }, index) => ({ id, title, at, ...(previewed?.events[index] ?? nothing) })),
      spans: spans.map(({ id, traceId, name, transaction, at }, index) => ({
        id,
        traceId,
        title: cut(name || transaction),
        at,
        ...(previewed?.spans[index] ?? nothing),
      })),
      logs: logs.map(({ body, at }, index) => ({ title: cut(body), at, ...(previewed?.logs[index] ?? nothing) })),
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    running--;
  }
}

const nothing: PreviewedEvent = { changes: [], more: 0 };
const cut = (text: string): string => (text.length > maxTitle ? `${text.slice(0, maxTitle).toWellFormed()}…` : text);

async function newestEvents(
  events: Events,
  { projectId, sinceMs, limit }: PreviewRequest,
  options: Parameters<Events['query']>[2],
) {
  const keys = await events.query<EventKey>(
    `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at FROM errors
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
     ORDER BY timestamp DESC, event_id DESC LIMIT {limit:UInt32}`,
    { project: projectId, since: sinceMs, limit },
    options,
  );
  return keys.length > 0 ? readEvents(events, projectId, keys) : [];
}

async function inThread(setup: PreviewSetup, signal: AbortSignal | undefined): Promise<FromPreview> {
  const module = new URL('./worker.ts', import.meta.url);
  let result: FromPreview | undefined;
  const onMessage = (message: FromPreview): void => {
    result = message;
  };
  const options = { module, name: 'scrubbing', setup, ...memory, onMessage, graceMs: 0 };
  const limit = AbortSignal.timeout(limitSeconds * 1_000);
  await runThread<FromPreview>(options, signal ? AbortSignal.any([signal, limit]) : limit);
  if (!result) throw new CodedError('QUERY_TIMEOUT', [String(limitSeconds)]);
  return result;
}

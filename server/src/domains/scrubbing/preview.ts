/** Rules that are not saved yet, on the newest events that are stored: what each would change, before and after. */
import { CodedError } from '../../base/errors.ts';
import { runThread } from '../../base/jobs/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { PreviewedEvent, ScrubSettings } from '../../process/steps/scrub/index.ts';
import { type EventKey, readEvents } from '../resymbolicate/index.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';

export interface ScrubbingPreview {
  /** Events that were looked at, the newest first. */
  readonly events: readonly (PreviewedEvent & { readonly id: string; readonly title: string; readonly at: number })[];
  readonly durationMs: number;
}

export interface PreviewRequest {
  readonly projectId: number;
  /** With the rules that are tried. */
  readonly settings: ScrubSettings;
  readonly limit: number;
  /** ms since the epoch; older events are not looked for. */
  readonly sinceMs: number;
}

/** Rules that take longer for so few events would hold up all others. */
const limitSeconds = 15;
const memory = { oldMb: 256, youngMb: 16 };
const maxRunning = 2;
let running = 0;

/** Throws QUERY_TIMEOUT for rules that take too long, PREVIEWS_FULL while enough are running. */
export async function previewScrubbing(
  events: Events,
  { projectId, settings, limit, sinceMs }: PreviewRequest,
): Promise<ScrubbingPreview> {
  if (running >= maxRunning) throw new CodedError('PREVIEWS_FULL');
  running++;
  try {
    const keys = await events.query<EventKey>(
      `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at FROM errors
       WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
       ORDER BY timestamp DESC, event_id DESC LIMIT {limit:UInt32}`,
      { project: projectId, since: sinceMs, limit },
    );
    const stored = keys.length > 0 ? await readEvents(events, projectId, keys) : [];
    const started = performance.now();
    const previewed =
      stored.length > 0 ? await inThread({ payloads: stored.map(({ payload }) => payload), settings }) : [];
    return {
      events: stored.map(({ id, title, at }, index) => ({
        id,
        title,
        at,
        ...(previewed[index] ?? { changes: [], more: 0 }),
      })),
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    running--;
  }
}

async function inThread(setup: PreviewSetup): Promise<FromPreview> {
  const module = new URL('./worker.ts', import.meta.url);
  let result: FromPreview | undefined;
  const onMessage = (message: FromPreview): void => {
    result = message;
  };
  const options = { module, name: 'scrubbing', setup, ...memory, onMessage, graceMs: 0 };
  await runThread<FromPreview>(options, AbortSignal.timeout(limitSeconds * 1_000));
  if (!result) throw new CodedError('QUERY_TIMEOUT', [String(limitSeconds)]);
  return result;
}

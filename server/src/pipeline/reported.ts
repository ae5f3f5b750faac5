/** Finds errors that spans recorded and an SDK reported as events too: one failure must not become two issues. */
import type { Events } from '../ports/events/events.ts';
import type { Computed } from './computed.ts';
import type { MaybeReported } from '../process/types.ts';

const hourMs = 3_600_000;
const chunkSize = 1_000;
/** Of a message; what is stored of long ones differs further on. */
const comparedCharacters = 200;
interface Known {
  readonly project: number;
  readonly trace: string;
  readonly type: string;
  readonly value: string;
  readonly mechanism: string;
}

/**
 * Tells of each error whether an event of its project and trace has its type and message: one that is stored, or one
 * of the same slice. To be asked for each in their order. SDKs send errors at once and spans later; an event that comes
 * after its span is not found.
 */
export async function findReported(
  events: Events,
  { maybeReported, events: ofSlice }: Pick<Computed, 'maybeReported' | 'events'>,
): Promise<(error: MaybeReported) => boolean> {
  const errors = maybeReported.map(({ error }) => error).filter(({ traceId }) => traceId !== '');
  // By what they say the mechanisms of the events that say it: what an error was made into itself has its own.
  const reported = new Map<string, Set<string>>();
  const note = (known: Known): void => {
    const key = keyOf(known);
    const mechanisms = reported.get(key);
    if (mechanisms) mechanisms.add(known.mechanism);
    else reported.set(key, new Set([known.mechanism]));
  };
  for (const { row, seed } of ofSlice) {
    const { type = '', value = '' } = seed.metadata;
    // Errors of spans and logs are not among them yet.
    note({ project: row.project_id, trace: row.trace_id, type, value, mechanism: '' });
  }
  for (let start = 0; start < errors.length; start += chunkSize) {
    const chunk = errors.slice(start, start + chunkSize);
    const times = chunk.map(({ at }) => at);
    const rows = await events.query<Known>(
      `SELECT DISTINCT project_id AS project, trace_id AS trace, error_type AS type, mechanism,
         substringUTF8(error_value, 1, ${comparedCharacters}) AS value
       FROM errors
       WHERE project_id IN {projects:Array(UInt64)} AND trace_id IN {traces:Array(String)}
         AND timestamp >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
       LIMIT 100000`,
      {
        projects: [...new Set(chunk.map(({ projectId }) => projectId))],
        traces: [...new Set(chunk.map(({ traceId }) => traceId))],
        from: Math.min(...times) - hourMs,
        until: Math.max(...times) + hourMs,
      },
    );
    for (const row of rows) note(row);
  }
  return ({ projectId, traceId, type, value, by }) => {
    if (traceId === '') return false;
    const asked = { project: projectId, trace: traceId, type, value, mechanism: by };
    const mechanisms = reported.get(keyOf(asked));
    const isReported = mechanisms !== undefined && (mechanisms.size > 1 || !mechanisms.has(by));
    // Of a span and a log of one slice that tell of it, the first one asked for becomes the event.
    if (!isReported) note(asked);
    return isReported;
  };
}

function keyOf({ project, trace, type, value }: Omit<Known, 'mechanism'>): string {
  return [project, trace, type, value.slice(0, comparedCharacters)].join('\n');
}

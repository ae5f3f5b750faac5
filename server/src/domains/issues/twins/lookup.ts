/** Finds the events of servers that have a digest or a trace, in the events store. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Events } from '../../../ports/events/events.ts';
import { twinVersion } from '../../../process/steps/twin.ts';
import { moment } from '../../../base/sql.ts';

/** What tells one failure: either may be ''. */
export interface Failure {
  readonly digest: string;
  readonly traceId: string;
}

/** A failure as a browser saw it. */
export interface View extends Failure {
  readonly transaction: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** A server event, or several of one issue with the same digest and trace. */
export interface ServerEvent extends View {
  readonly groupHash: string;
}

const dayMs = 86_400_000;
/** A digest that somebody has kept open in a tab may be older than a trace. */
const lookBackMs = 30 * dayMs;
/** Of one digest or trace; a trace of more errors says little anyway. */
const maxFound = 20;
const chunkSize = 1_000;

/** Of one project. */
export async function findServerEvents(
  events: Events,
  projectId: number,
  views: readonly View[],
): Promise<readonly ServerEvent[]> {
  const found: ServerEvent[] = [];
  for (const chunk of chunksOf(views, chunkSize)) {
    const traces = [...new Set(chunk.flatMap(({ traceId }) => traceId || []))];
    const digests = [...new Set(chunk.flatMap(({ digest }) => digest || []))];
    const times = chunk.map(({ at }) => at);
    const rows = await events.query<ServerEvent>(
      // Events of one digest are as many as visits: they are counted together, except where the trace is asked for.
      `SELECT digest AS digest, if(trace_id IN {traces:Array(String)}, trace_id, '') AS traceId, group_hash AS groupHash,
         argMax(transaction, timestamp) AS transaction, toUnixTimestamp64Milli(max(timestamp)) AS at
       FROM errors
       WHERE project_id = {project:UInt64} AND timestamp >= ${moment('from')} AND timestamp < ${moment('until')}
         AND (${[
           ...(digests.length ? ['digest IN {digests:Array(String)}'] : []),
           ...(traces.length ? ['trace_id IN {traces:Array(String)}'] : []),
         ].join(' OR ')})
         AND grouping_version != {twin:String} AND issue_type = '' AND (platform != 'javascript' OR tags['runtime.name'] != '')
       GROUP BY digest, traceId, groupHash
       ORDER BY at DESC LIMIT ${maxFound} BY digest, traceId`,
      {
        project: projectId,
        digests,
        traces,
        twin: twinVersion,
        from: Math.min(...times) - lookBackMs,
        until: Math.max(...times) + dayMs,
      },
    );
    found.push(...rows);
  }
  return found;
}

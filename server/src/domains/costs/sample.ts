/** Samples of what is stored of a project, with their sizes. */
import { chunksOf } from '../../base/chunks.ts';
import { columnsOf } from '../../base/tables/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { type PayloadColumns, payloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import type { Sampled, SampledEvent } from './estimate.ts';
import { sizedEvent, sizedRow } from './sizes.ts';

export const rowTables = ['spans', 'logs'] as const;
export type RowTable = (typeof rowTables)[number];
export type SampledTable = 'errors' | RowTable;

export interface Drawn {
  readonly project: number;
  /** How many rows there are, and of how many the sample is to be, about. */
  readonly count: number;
  readonly size: number;
  /** Of this one alone. */
  readonly release?: string;
}

/** What tells a row from the others. */
const keys: Readonly<Record<SampledTable, readonly string[]>> = {
  errors: ['event_id'],
  spans: ['trace_id', 'span_id'],
  logs: ['timestamp', 'sequence', 'body'],
};

/** Nobody waits for it. */
export const patient = { maxExecutionSeconds: 300 };
/** Payloads that are held at once. */
const payloadsAtOnce = 50;

interface EventRow extends PayloadColumns {
  readonly release: string;
  readonly sdk: string;
  readonly group: string;
}

export async function sampleEvents(events: Events, drawn: Drawn): Promise<SampledEvent[]> {
  const rows = await drawRows<EventRow>(events, 'errors', drawn, [
    'release',
    'sdk_name AS sdk',
    'group_hash AS group',
    payloadColumns,
  ]);
  const sampled: SampledEvent[] = [];
  for (const chunk of chunksOf(rows, payloadsAtOnce))
    for (const { payload, release, sdk, group } of await withPayloads(events, chunk))
      sampled.push({ release, sdk, group, ...sizedEvent(payload) });
  return sampled;
}

export async function sampleRows(events: Events, table: RowTable, drawn: Drawn): Promise<Sampled[]> {
  const columns = columnsOf(table).map(({ name }) => name);
  const rows = await drawRows<{ readonly release: string }>(events, table, drawn, columns);
  return rows.map((row) => ({ release: row.release, ...sizedRow({ ...row }) }));
}

/** By a hash of what they are, so that no part of the time or of the issues is left out. */
function drawRows<Row>(
  events: Events,
  table: SampledTable,
  { project, count, size, release }: Drawn,
  columns: readonly string[],
): Promise<Row[]> {
  return events.query<Row>(
    `SELECT ${columns.join(', ')} FROM ${table}
     WHERE project_id = {project:UInt64} AND cityHash64(${keys[table].join()}, 'costs') % {step:UInt64} = 0
       ${release === undefined ? '' : 'AND release = {release:String}'}
     LIMIT {most:UInt64}`,
    {
      project,
      // About as many as are wanted; never cut at the end, which would leave out what is sorted last.
      step: Math.max(1, Math.ceil(count / size)),
      most: 2 * size,
      ...(release !== undefined && { release }),
    },
    patient,
  );
}

/** Samples of what is stored of a project, with their sizes. */
import { chunksOf } from '../../base/chunks.ts';
import { columnsOf } from '../../base/tables/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { type PayloadColumns, payloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import type { Sampled, SampledEvent } from './estimate.ts';
import { type RowSizes, sizedEvent, sizedRow } from './sizes.ts';

export const sampledTables = ['errors', 'spans', 'logs'] as const;
export type SampledTable = (typeof sampledTables)[number];
export type RowTable = Exclude<SampledTable, 'errors'>;

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
/** Payloads that are held at once, and parts in which rows are read that have theirs in them. */
const payloadsAtOnce = 50;
const payloadSlices = 10;

interface EventRow extends PayloadColumns {
  readonly release: string;
  readonly sdk: string;
  readonly group: string;
}

const eventColumns = ['release', 'sdk_name AS sdk', 'group_hash AS group', payloadColumns];

export async function sampleEvents(events: Events, drawn: Drawn): Promise<SampledEvent[]> {
  const sampled: SampledEvent[] = [];
  const slices = events.payloads ? 1 : payloadSlices;
  for (let slice = 0; slice < slices; slice++) {
    const rows = await drawRows<EventRow>(events, 'errors', drawn, eventColumns, { slice, slices });
    for (const chunk of chunksOf(rows, payloadsAtOnce))
      for (const { payload, release, sdk, group } of await withPayloads(events, chunk))
        sampled.push({ release, sdk, group, ...sizedEvent(payload) });
  }
  return sampled;
}

/** Of which an application writes as much as it likes. */
const textOf: Readonly<Record<RowTable, string>> = { spans: 'description', logs: 'body' };

export async function sampleRows(events: Events, table: RowTable, drawn: Drawn): Promise<Sampled[]> {
  const text = textOf[table];
  const columns = columnsOf(table).map(({ name }) => name);
  const rows = await drawRows<RowSizes & { readonly release: string }>(events, table, drawn, [
    'release',
    `toUInt32(byteSize(${columns.join(', ')})) AS bytes`,
    `toUInt32(length(${text})) AS text`,
    'mapApply((name, value) -> (name, toUInt32(length(value))), attributes) AS sizes',
    'mapKeys(numbers) AS named',
  ]);
  return rows.map(({ release, ...sizes }) => ({ release, ...sizedRow(sizes, text) }));
}

/** By a hash of what they are, so that no part of the time or of the issues is left out. */
function drawRows<Row>(
  events: Events,
  table: SampledTable,
  { project, count, size, release }: Drawn,
  columns: readonly string[],
  { slice, slices } = { slice: 0, slices: 1 },
): Promise<Row[]> {
  return events.query<Row>(
    `SELECT ${columns.join(', ')} FROM (
       SELECT *, cityHash64(${keys[table].join()}, 'costs') AS drawn FROM ${table}
       WHERE project_id = {project:UInt64} ${release === undefined ? '' : 'AND release = {release:String}'}
     ) WHERE drawn % {step:UInt64} = 0 AND intDiv(drawn, {step:UInt64}) % {slices:UInt64} = {slice:UInt64}
     LIMIT {most:UInt64}`,
    {
      project,
      // About as many as are wanted; never cut at the end, which would leave out what is sorted last.
      step: Math.max(1, Math.ceil(count / size)),
      most: 2 * size,
      slice,
      slices,
      ...(release !== undefined && { release }),
    },
    patient,
  );
}

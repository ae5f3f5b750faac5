/** Rows of events with their payload, wherever that lies. */
import { chunksOf } from '../../base/chunks.ts';
import type { Place } from '../payloads/payloads.ts';
import { pendingPlacements } from './carry/mutations.ts';
import type { Events, QueryParams } from './events.ts';

/** What a statement reads of rows for `withPayloads`. */
export const payloadColumns = 'payload, payload_segment, payload_ordinal';

export interface PayloadColumns {
  /** JSON text, '' where it is elsewhere. */
  readonly payload: string;
  readonly payload_segment: number;
  readonly payload_ordinal: number;
}

const nowhere: Place = { segment: 0, ordinal: 0 };
const placeOf = ({ payload_segment: segment, payload_ordinal: ordinal }: PayloadColumns): Place => ({
  segment,
  ordinal,
});

/** What is gone with its payload, since it is being deleted just now, is left out. */
export async function withPayloads<Row extends PayloadColumns>(
  { payloads }: Pick<Events, 'payloads'>,
  rows: readonly Row[],
): Promise<Omit<Row, 'payload_segment' | 'payload_ordinal'>[]> {
  // A row that is being carried over has both.
  const isElsewhere = ({ payload, payload_segment: segment }: PayloadColumns): boolean =>
    payload === '' && segment !== 0;
  const places = rows.map((row) => (isElsewhere(row) ? placeOf(row) : nowhere));
  const texts = rows.some(isElsewhere) ? await payloads?.read(places) : undefined;
  return rows.flatMap((whole, index) => {
    const { payload_segment: _segment, payload_ordinal: _ordinal, ...row } = whole;
    const payload = isElsewhere(whole) ? texts?.[index] : row.payload;
    return payload === undefined ? [] : [{ ...row, payload }];
  });
}

/** The same of rows whose payload nobody asks for. */
export async function withoutErased<Row extends Omit<PayloadColumns, 'payload'>>(
  { payloads }: Pick<Events, 'payloads'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const places = rows.map(({ payload_segment: segment, payload_ordinal: ordinal }) => ({ segment, ordinal }));
  const erased = places.some(({ segment }) => segment !== 0) ? await payloads?.areErased(places) : undefined;
  return rows.filter((_, index) => erased?.[index] !== true);
}

const segmentsAtOnce = 20;

/** Of the rows of `errors` that meet the condition, before they are deleted. */
export async function erasePayloads(events: Events, condition: string, params: QueryParams): Promise<void> {
  const { payloads } = events;
  if (!payloads) return;
  const segments = await events.query<{ segment: number }>(
    `SELECT DISTINCT payload_segment AS segment FROM errors WHERE ${condition} AND payload_segment != 0 ORDER BY segment`,
    params,
    patient,
  );
  for (const chunk of chunksOf(segments, segmentsAtOnce)) {
    const found = await events.query<{ segment: number; ordinals: number[] }>(
      `SELECT payload_segment AS segment, groupArray(payload_ordinal) AS ordinals FROM errors
       WHERE ${condition} AND payload_segment IN {segments:Array(UInt64)} GROUP BY segment`,
      { ...params, segments: chunk.map(({ segment }) => segment) },
      patient,
    );
    for (const { segment, ordinals } of found) await payloads.erase(ordinals.map((ordinal) => ({ segment, ordinal })));
  }
}

/** Packs what nobody writes to any more; payloads that no row has are left out. */
export async function packPayloads(events: Events, signal: AbortSignal): Promise<void> {
  const { payloads } = events;
  for (const segment of (await payloads?.unpacked()) ?? []) {
    // What rows are being told of places is not known from them yet.
    if (signal.aborted || (await pendingPlacements(events)).length > 0) return;
    const rows = await events.query<{ ordinal: number }>(
      'SELECT payload_ordinal AS ordinal FROM errors WHERE payload_segment = {segment:UInt64}',
      { segment },
      patient,
    );
    await payloads?.pack(
      segment,
      rows.map(({ ordinal }) => ordinal),
      signal,
    );
  }
}

/** Nobody waits for it, and it may look at every row. */
const patient = { maxExecutionSeconds: 300 };

/** Which values the segments of a list have, most frequent first. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { columnOf, type SegmentField, segmentFields, segmentsIn, type SegmentFilter } from './segments.ts';

/** Of more the newest are counted. */
const examinedSegments = 50_000;

export interface FieldValue {
  readonly value: string;
  readonly count: number;
  readonly failed: number;
}

export interface FieldValues {
  readonly field: SegmentField;
  readonly values: readonly FieldValue[];
  /** There are values beyond these. */
  readonly more: boolean;
}

export interface SegmentFields {
  /** Those that have a value. */
  readonly fields: readonly FieldValues[];
  /** Segments that were counted. */
  readonly count: number;
  readonly failed: number;
  /** Where what was counted begins, ms since the epoch. */
  readonly fromMs: number;
  /** False where the filter finds more than were counted. */
  readonly whole: boolean;
}

interface Counted extends FieldValue {
  /** Index of the field; -1 for all segments together. */
  readonly place: number;
  readonly at: number;
}

const names = segmentFields.map((_, index) => `f${index}`);
/** A bit for each field that the row is not about, the first field's the highest. */
const everyBit = 2 ** names.length - 1;

/** At most `limit` values of each. */
export async function readFields(events: Events, filter: SegmentFilter, limit: number): Promise<SegmentFields> {
  const scope = where(...segmentsIn(filter));
  const rows = filter.projectIds.length
    ? await events.query<Counted>(
        `SELECT indexOf([${names.map((_, index) => everyBit - 2 ** (names.length - 1 - index)).join(', ')}], grouping(${names.join(', ')})) - 1 AS place,
           concat(${names.join(', ')}) AS value, count() AS count, countIf(bad = 1) AS failed, toUnixTimestamp64Milli(min(started)) AS at
         FROM (
           SELECT ${segmentFields.map((field, index) => `${columnOf(field)} AS f${index}`).join(', ')}, failed AS bad, started_at AS started
           FROM segments WHERE ${scope.sql} ORDER BY started_at DESC LIMIT {most:UInt32}
         )
         GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')}, ())
         ORDER BY place, count DESC, value LIMIT {each:UInt32} BY place`,
        // One more tells whether there are more, and one may be that nothing is known.
        { ...scope.params, most: examinedSegments, each: limit + 2 },
      )
    : [];
  const all = rows.find(({ place }) => place < 0);
  const whole = (all?.count ?? 0) < examinedSegments;
  const byPlace = Map.groupBy(
    rows.filter(({ value }) => value !== ''),
    ({ place }) => place,
  );
  return {
    fields: segmentFields.flatMap((field, index) => {
      const values = byPlace.get(index) ?? [];
      if (!values.length) return [];
      const shown = values.slice(0, limit).map(({ value, count, failed }) => ({ value, count, failed }));
      return [{ field, values: shown, more: values.length > limit }];
    }),
    count: all?.count ?? 0,
    failed: all?.failed ?? 0,
    fromMs: whole ? filter.range.startMs : (all?.at ?? 0),
    whole,
  };
}

/** What an estimated answer says of itself. */

export type IntervalEnd = number | string | null;
/** Holds the truth 19 times in 20; null: not known. */
export type CellInterval = readonly [low: IntervalEnd, high: IntervalEnd];

export interface Sampling {
  /** Of the rows that the question is about, 0 to 1. */
  readonly share: number;
  /** By row of the answer, by column with an aggregate. */
  readonly intervals: readonly Readonly<Record<string, CellInterval>>[];
}

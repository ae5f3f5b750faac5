/**
 * Stretches of a table of which few are read instead of all. A stretch is some rows that lie side by side; where it lies
 * is counted over the whole table as the engine sees it, so that the engine passes over the rest by its index alone,
 * whatever the table is sorted by. Of each stratum, many stretches in a row, two are drawn: what all strata say is spread
 * over the table, and how the two differ says how sure it is.
 */

export interface SamplingLimits {
  /** Questions that read no more rows are answered from all of them. */
  readonly exactRows: number;
  /** Stretches that are read of what a question is about. */
  readonly stretches: number;
  /** The least that a stretch has: those of one granule. */
  readonly stretchRows: number;
}

/** All rows take about a second up to there, on two cores; what is drawn instead is half a million. */
export const samplingLimits: SamplingLimits = { exactRows: 6_000_000, stretches: 256, stretchRows: 2_048 };

/** The numbers go with the question: so many are no burden. Where more were needed, each is longer. */
const mostDrawn = 8_192;
/** A larger share would not be worth the trouble. */
const leastPerStratum = 6;

export interface Sample {
  readonly stretchRows: number;
  readonly perStratum: number;
  /** Numbers of the stretches that are read, two of each stratum, in order. */
  readonly drawn: readonly number[];
}

/** What of the table is read, 0 to 1. */
export const shareOf = ({ perStratum }: Pick<Sample, 'perStratum'>): number => 2 / perStratum;

/**
 * `rows`: of them a question would read; `tableRows`: the table has. Undefined where all may as well be read. The same
 * numbers draw the same stretches: who asks again is told the same.
 */
export function drawSample(
  rows: number,
  tableRows: number,
  limits: SamplingLimits,
  seed = tableRows,
): Sample | undefined {
  if (rows <= limits.exactRows || tableRows <= 0) return undefined;
  const share = Math.min(1, (limits.stretches * limits.stretchRows) / rows);
  const stretchRows = Math.max(limits.stretchRows, Math.ceil((share * tableRows) / mostDrawn));
  const perStratum = Math.floor(2 / share);
  if (perStratum < leastPerStratum) return undefined;
  const strata = Math.ceil(tableRows / stretchRows / perStratum);
  const random = randomOf(seed);
  const drawn = Array.from({ length: strata }, (_, stratum) => {
    const first = Math.floor(random() * perStratum);
    const second = (first + 1 + Math.floor(random() * (perStratum - 1))) % perStratum;
    return [Math.min(first, second), Math.max(first, second)].map((place) => stratum * perStratum + place);
  });
  return { stretchRows, perStratum, drawn: drawn.flat() };
}

/** SQL of the number of a row's stretch. */
export const stretchSql = ({ stretchRows }: Pick<Sample, 'stretchRows'>): string =>
  `intDiv(_part_starting_offset + _part_offset, ${stretchRows})`;

/** Numbers from 0 to 1 that look random: xorshift over the 32 bits of a seed. */
export function randomOf(seed: number): () => number {
  let state = (Math.imul(seed | 0, 0x9e37_79b1) ^ 0x5bd1_e995) | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  // Seeds that are alike begin alike.
  for (let round = 0; round < 8; round += 1) next();
  return next;
}

/**
 * When the disk will be full, from how it filled up so far. Pure.
 *
 * The slope is the median of the slopes between all pairs of samples that lie well apart (Theil and Sen), so that neither a
 * merge of the engine that takes gigabytes for an hour nor a day without traffic tips it. Four of five of these slopes say how
 * sure it is. What ages out is in the samples once the first has; until then the disk fills up no longer than to that day.
 */
export interface Sample {
  /** ms since the epoch. */
  readonly at: number;
  readonly usedBytes: number;
}

/** Bytes a day. */
export interface Growth {
  readonly perDay: number;
  readonly least: number;
  readonly most: number;
}

export type Forecast =
  /** Not measured for long enough. */
  | { readonly kind: 'unknown' }
  /** Not within `horizonDays`. */
  | { readonly kind: 'none'; readonly growth: Growth }
  /** Times are ms since the epoch; `latest` is null where it may be never. */
  | {
      readonly kind: 'full';
      readonly growth: Growth;
      readonly at: number;
      readonly earliest: number;
      readonly latest: number | null;
    };

const dayMs = 86_400_000;
export const horizonDays = 90;
/** Older ones tell of another time. */
export const lookBackMs = 14 * dayMs;
const leastSpanMs = dayMs;
const leastSamples = 12;
/** Of all pairs some ten thousand; an hour less or more between two says nothing. */
const mostSamples = 150;
/** Pairs that lie closer, as a share of the whole, tell of noise. */
const leastApart = 0.3;
/** What has begun to age out within so many days is in the samples. */
const settledMs = 7 * dayMs;

/** Undefined where that is not known yet. */
export function growthOf(samples: readonly Sample[], nowMs: number): Growth | undefined {
  const recent = thinned(
    samples.filter(({ at }) => at > nowMs - lookBackMs && at <= nowMs).toSorted((a, b) => a.at - b.at),
  );
  const span = (recent.at(-1)?.at ?? 0) - (recent[0]?.at ?? 0);
  if (recent.length < leastSamples || span < leastSpanMs) return undefined;
  const slopes: number[] = [];
  for (const [index, from] of recent.entries())
    for (const to of recent.slice(index + 1))
      if (to.at - from.at >= span * leastApart)
        slopes.push(((to.usedBytes - from.usedBytes) / (to.at - from.at)) * dayMs);
  slopes.sort((a, b) => a - b);
  const quantile = (share: number): number =>
    slopes[Math.min(slopes.length - 1, Math.floor(share * slopes.length))] ?? 0;
  return { perDay: quantile(0.5), least: quantile(0.1), most: quantile(0.9) };
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  if (samples.length <= mostSamples) return samples;
  const step = (samples.length - 1) / (mostSamples - 1);
  return Array.from({ length: mostSamples }, (_, index) => samples[Math.round(index * step)]).filter(
    (sample) => sample !== undefined,
  );
}

export interface Room {
  readonly nowMs: number;
  /** Until the disk counts as full. */
  readonly bytes: number;
  /** When the oldest data leaves; undefined where nothing does. */
  readonly oldestLeavesAt?: number | undefined;
}

export function forecast(growth: Growth | undefined, { nowMs, bytes, oldestLeavesAt }: Room): Forecast {
  if (!growth) return { kind: 'unknown' };
  const room = Math.max(0, bytes);
  if (room > 0 && growth.perDay <= 0) return { kind: 'none', growth };
  const at = room === 0 ? nowMs : nowMs + (room / growth.perDay) * dayMs;
  const growsUntil =
    oldestLeavesAt !== undefined && oldestLeavesAt > nowMs + settledMs ? oldestLeavesAt : Number.POSITIVE_INFINITY;
  if (at > nowMs + horizonDays * dayMs || at > growsUntil) return { kind: 'none', growth };
  return {
    kind: 'full',
    growth,
    at: Math.round(at),
    earliest: room === 0 ? nowMs : Math.round(nowMs + (room / Math.max(growth.most, growth.perDay)) * dayMs),
    latest: room === 0 ? nowMs : growth.least > 0 ? Math.round(nowMs + (room / growth.least) * dayMs) : null,
  };
}

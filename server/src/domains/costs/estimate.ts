/** Bytes of groups of events from a sample of their payloads, with 95 % intervals. Pure. */

/** One sampled event. */
export interface Sampled {
  readonly release: string;
  readonly sdk: string;
  /** Group hash. */
  readonly group: string;
  /** Bytes of its payload as JSON, of each part. */
  readonly parts: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export interface Estimate {
  readonly bytes: number;
  /** The interval. */
  readonly low: number;
  readonly high: number;
}

/** Of a group, or a part of events. */
export interface Cost extends Estimate {
  readonly name: string;
  /** Events; of all of them for a part. */
  readonly events: number;
}

/** A part of events, or all of it under '', that one release sends more of than the one before. */
export interface Growth {
  readonly release: string;
  readonly before: string;
  readonly part: string;
  /** Of bytes an event. */
  readonly times: number;
  readonly low: number;
  readonly high: number;
}

export interface Mean {
  readonly count: number;
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

/** Of 95 %. */
const z = 1.96;
/** Fewer say nothing of how far values lie apart. */
const leastSampled = 8;
/** From such a lower bound on it is growth. */
const leastGrowth = 1.2;
/** Parts of fewer bytes an event are not worth telling of. */
const leastPartBytes = 200;

export function meanOf(values: readonly number[]): Mean {
  const count = values.length;
  if (count === 0) return { count, mean: 0, error: Infinity };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { count, mean, error: Infinity };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  return { count, mean, error: Math.sqrt(variance / count) };
}

/** JSON text to bytes by its top keys; what is no object is one part. */
export function partsOf(payload: string): { parts: Record<string, number>; bytes: number } {
  const bytes = Buffer.byteLength(payload);
  const parts: Record<string, number> = {};
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch {
    return { parts, bytes };
  }
  if (event === null || typeof event !== 'object' || Array.isArray(event)) return { parts, bytes };
  for (const [name, value] of Object.entries(event)) {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) parts[name] = Buffer.byteLength(text);
  }
  return { parts, bytes };
}

/** `factor`: bytes on disk for each byte of a payload. Groups with few sampled events go by all of them. */
export function costsOfGroups(
  sample: readonly Sampled[],
  key: (one: Sampled) => string,
  {
    counts,
    factor,
  }: { readonly counts: readonly { readonly name: string; readonly events: number }[]; readonly factor: number },
): Cost[] {
  const all = meanOf(sample.map(({ bytes }) => bytes));
  const spread = meanOf(sample.map(({ bytes }) => bytes)).error * Math.sqrt(Math.max(1, sample.length));
  const byName = Map.groupBy(sample, key);
  return counts
    .map(({ name, events }) => {
      const own = meanOf((byName.get(name) ?? []).map(({ bytes }) => bytes));
      // Of few, how far one event may lie from the others.
      const { mean, error } = own.count >= leastSampled ? own : { mean: all.mean, error: spread };
      return { name, events, ...around(events * mean * factor, events * error * factor) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

export function costsOfParts(
  sample: readonly Sampled[],
  { events, factor }: { readonly events: number; readonly factor: number },
): Cost[] {
  const names = new Set(sample.flatMap(({ parts }) => Object.keys(parts)));
  return [...names]
    .map((name) => {
      const { mean, error } = meanOf(sample.map(({ parts }) => parts[name] ?? 0));
      return { name, events, ...around(events * mean * factor, events * error * factor) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** What the later release sends more of, the most first; nothing that may be chance. */
export function growthOf(
  [earlier, later]: readonly [readonly Sampled[], readonly Sampled[]],
  [before, release]: readonly [string, string],
): Growth[] {
  if (earlier.length < leastSampled || later.length < leastSampled) return [];
  const names = ['', ...new Set(later.flatMap(({ parts }) => Object.keys(parts)))];
  const found = names.flatMap((part): Growth[] => {
    const bytesIn = (one: Sampled): number => (part === '' ? one.bytes : (one.parts[part] ?? 0));
    const [old, now] = [meanOf(earlier.map(bytesIn)), meanOf(later.map(bytesIn))];
    if (now.mean < leastPartBytes || old.mean === 0) return [];
    const times = now.mean / old.mean;
    // The interval of a ratio lies evenly around its logarithm.
    const width = z * Math.hypot(old.error / old.mean, now.error / now.mean);
    const [low, high] = [times * Math.exp(-width), times * Math.exp(width)];
    return low >= leastGrowth ? [{ release, before, part, times, low, high }] : [];
  });
  return found.sort((a, b) => b.times - a.times);
}

function around(bytes: number, error: number): Estimate {
  const most = Number.isFinite(error) ? bytes + z * error : bytes * 2;
  const least = Number.isFinite(error) ? Math.max(0, bytes - z * error) : 0;
  return { bytes: Math.round(bytes), low: Math.round(least), high: Math.round(most) };
}

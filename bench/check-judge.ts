/**
 * Whether a change made a stage dearer: what was measured against what is committed, both as multiples of the floors of
 * their own runs. What is too small to be told from noise is judged with the rest of its part.
 */
import { floorOf, type Measurement, type Part, parts } from './ledger-lines.ts';

export interface Entry {
  readonly part: Part;
  readonly name: string;
  /** Of the floor. */
  readonly ratio: number;
  /** By how much it may be dearer: 0.1 is 10 %. */
  readonly tolerance: number;
}

export interface Verdict extends Entry {
  readonly found: number;
  readonly isDearer: boolean;
}

/** What every stage is held to that repeats well enough. */
const wantedTolerance = 0.1;
/** Of what runs of the same code differed in; the next run may lie a little outside. */
const noiseFactor = 1.3;
/** A stage of less is not judged by itself, as a share of its part. */
const leastShare = 0.03;
/** Nor is one that differs by more from run to run. */
const mostTolerance = 0.3;
const total = 'all';
const rest = 'the rest';

type Ratios = ReadonlyMap<string, { readonly part: Part; readonly name: string; readonly ratio: number }>;

const keyOf = (part: Part, name: string): string => `${part} ${name}`;

/** Lines as multiples of the floor; the statements of a call are one, since their words change with the code. */
function ratiosOf({ lines, floors }: Measurement): Ratios {
  const ratios = new Map<string, { part: Part; name: string; ratio: number }>();
  for (const { part, name, us } of lines) {
    const shown = part === 'statements' ? name.slice(0, name.indexOf(':')) : name;
    const key = keyOf(part, shown);
    const before = ratios.get(key)?.ratio ?? 0;
    ratios.set(key, { part, name: shown, ratio: before + us / floors[floorOf[part]] });
  }
  return ratios;
}

const sumOf = (ratios: Ratios, part: Part, except: ReadonlySet<string> = new Set()): number =>
  [...ratios].reduce((sum, [key, line]) => sum + (line.part === part && !except.has(key) ? line.ratio : 0), 0);

function entryOf(part: Part, name: string, ratios: readonly number[]): Entry {
  const sorted = ratios.toSorted((a, b) => a - b);
  const ratio = sorted[sorted.length >> 1] ?? 0;
  const noise = ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)) / ratio;
  const tolerance = Math.max(wantedTolerance, Math.ceil(noise * noiseFactor * 100) / 100);
  return { part, name, ratio: Number(ratio.toPrecision(4)), tolerance };
}

/** What is committed: the middle of several measurements of the same code, and how far they lay apart. */
export function entriesOf(runs: readonly Measurement[]): Entry[] {
  const all = runs.map(ratiosOf);
  return parts.flatMap((part) => {
    const sums = all.map((ratios) => sumOf(ratios, part));
    if (Math.max(...sums) === 0) return [];
    const smallest = Math.min(...sums) * leastShare;
    const names = [...(all[0] ?? new Map())].flatMap(([, line]) => (line.part === part ? [line.name as string] : []));
    const single = names
      .map((name) =>
        entryOf(
          part,
          name,
          all.map((ratios) => ratios.get(keyOf(part, name))?.ratio ?? 0),
        ),
      )
      .filter(({ ratio, tolerance }) => ratio >= smallest && tolerance <= mostTolerance);
    const known = new Set(single.map(({ name }) => keyOf(part, name)));
    return [
      entryOf(part, total, sums),
      ...single,
      ...(known.size < names.length
        ? [
            entryOf(
              part,
              rest,
              all.map((ratios) => sumOf(ratios, part, known)),
            ),
          ]
        : []),
    ];
  });
}

/** In the order of the ledger, of parts that were measured. A stage that it does not know counts for the rest of its part. */
export function judge(entries: readonly Entry[], measured: Measurement): Verdict[] {
  const ratios = ratiosOf(measured);
  const known = new Set(entries.map(({ part, name }) => keyOf(part, name)));
  const there = new Set(measured.lines.map(({ part }) => part));
  return entries.flatMap((entry) => {
    if (!there.has(entry.part)) return [];
    const { part, name, ratio, tolerance } = entry;
    const found =
      name === total
        ? sumOf(ratios, part)
        : name === rest
          ? sumOf(ratios, part, known)
          : (ratios.get(keyOf(part, name))?.ratio ?? 0);
    return [{ ...entry, found, isDearer: found > ratio * (1 + tolerance) }];
  });
}

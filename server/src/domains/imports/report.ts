/** What an import brought, and what could not come, per kind, field and reason. */
import { report as texts } from '../../base/texts/imports.ts';
import type { Kind } from './source.ts';

export interface Gap {
  readonly kind: Kind;
  /** '' for the whole of it. */
  readonly field: string;
  readonly reason: string;
  readonly count: number;
  /** Names of a few. */
  readonly examples: readonly string[];
}

export interface Tally {
  readonly made: number;
  readonly known: number;
}

export interface Report {
  readonly kinds: Partial<Record<Kind, Tally>>;
  readonly gaps: readonly Gap[];
}

const maxExamples = 5;
const maxExampleLength = 80;
const maxGaps = 500;

export class Reporter {
  readonly #kinds = new Map<Kind, { made: number; known: number }>();
  readonly #gaps = new Map<string, { kind: Kind; field: string; reason: string; count: number; examples: string[] }>();

  made(kind: Kind, count = 1): void {
    this.#tally(kind).made += count;
  }

  known(kind: Kind, count = 1): void {
    this.#tally(kind).known += count;
  }

  gap(kind: Kind, field: string, reason: string, example = '', count = 1): void {
    const key = `${kind}\n${field}\n${reason}`;
    const known = this.#gaps.get(key);
    if (!known && this.#gaps.size >= maxGaps) return;
    const gap = known ?? { kind, field, reason, count: 0, examples: [] };
    if (!known) this.#gaps.set(key, gap);
    gap.count += count;
    if (example !== '' && gap.examples.length < maxExamples) gap.examples.push(example.slice(0, maxExampleLength));
  }

  get report(): Report {
    return { kinds: Object.fromEntries(this.#kinds), gaps: [...this.#gaps.values()] };
  }

  #tally(kind: Kind): { made: number; known: number } {
    const tally = this.#kinds.get(kind) ?? { made: 0, known: 0 };
    this.#kinds.set(kind, tally);
    return tally;
  }
}

export function reportLines({ kinds, gaps }: Report, isDry: boolean): string[] {
  const counts = (Object.entries(kinds) as [Kind, Tally][]).map(([kind, { made, known }]) =>
    isDry ? texts.planned(kind, made + known) : texts.counts(kind, made, known),
  );
  if (!gaps.length) return counts.length ? [...counts, '', texts.nothing] : [];
  const lines = gaps.flatMap(({ kind, field, count, reason, examples }) => [
    texts.gap(kind, field, count, reason),
    ...(examples.length ? [texts.examples(examples)] : []),
  ]);
  return [...counts, '', texts.gapsTitle, ...lines];
}

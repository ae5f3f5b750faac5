/** What is wrong in a text, by line and column. */
import { type RuleProblem, ruleLimits } from '../../group/rules/problem.ts';

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export class Problems {
  readonly #text: string;
  readonly #found: (Stretch & { readonly message: string })[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  add({ start, end }: Stretch, message: string): void {
    if (this.#found.length >= ruleLimits.problems) return;
    if (this.#found.some((one) => one.start === start && one.message === message)) return;
    this.#found.push({ start, end, message });
  }

  /** In the order of the text. */
  all(): RuleProblem[] {
    const lines = lineStarts(this.#text);
    return this.#found
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, end, message }) => {
        const line = Math.max(
          0,
          lines.findLastIndex((at) => at <= start),
        );
        const from = lines[line] ?? 0;
        const next = (lines[line + 1] ?? this.#text.length + 1) - 1;
        const endColumn = Math.max(start + 1, Math.min(end, next)) - from + 1;
        return { line: line + 1, column: start - from + 1, endColumn, message };
      });
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: found } of text.matchAll(/\r\n|[\r\n]/g)) starts.push(index + found.length);
  return starts;
}

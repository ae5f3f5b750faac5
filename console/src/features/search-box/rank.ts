/** Orders what is offered by how well it fits what was typed. Pure. */

export interface Match {
  readonly text: string;
  /** Of two that fit alike the heavier comes first. */
  readonly weight: number;
}

/** 0 when it does not fit. */
function fit(text: string, typed: string): number {
  const lower = text.toLowerCase();
  if (lower === typed) return 5;
  if (lower.startsWith(typed)) return 4;
  const at = lower.indexOf(typed);
  if (at < 0) return 0;
  // The beginning of a word within: `type` of `error.type`.
  return /[\s._\-/:@]/.test(lower[at - 1] ?? '') ? 3 : 1;
}

/** Those that fit, best first, else in the order given. */
export function rankOf<T>(all: readonly T[], typed: string, matchesOf: (one: T) => readonly Match[]): T[] {
  const wanted = typed.toLowerCase();
  if (wanted === '') return [...all];
  return all
    .map((one) => ({ one, score: Math.max(...matchesOf(one).map(({ text, weight }) => fit(text, wanted) * weight)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

/** A key is found by its name first, by what it is about after that. */
export const keyMatches = (each: { readonly label: string; readonly detail: string }): readonly Match[] => [
  { text: each.label, weight: 1 },
  { text: each.detail, weight: 0.1 },
];

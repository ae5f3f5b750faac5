/** Which attributes tell a selection from the rest: a pure ranking of counted values. */

/** Of one attribute: values with how often each was seen on either side, the most frequent first. */
export interface CountedAttribute {
  readonly key: string;
  readonly values: readonly CountedValue[];
  /** On either side those that have the attribute, with any value. */
  readonly selection: number;
  readonly rest: number;
}

export interface CountedValue {
  readonly value: string;
  readonly selection: number;
  readonly rest: number;
}

export interface ComparedValue {
  /** '' for where the attribute is missing. */
  readonly value: string;
  /** Shares, 0 to 1. */
  readonly inSelection: number;
  readonly inRest: number;
}

export interface ComparedAttribute extends ComparedValue {
  readonly key: string;
  /** Half of the sum of the differences of all shares: 0 where both sides are alike, 1 where they have nothing in common. */
  readonly difference: number;
  readonly values: readonly ComparedValue[];
}

const shownValues = 10;

/**
 * The attributes that differ the most first. Values beyond those that were counted are one value together, so that what
 * every event has another of, such as an id, differs by nothing.
 */
export function rankAttributes(
  attributes: readonly CountedAttribute[],
  totals: { readonly selection: number; readonly rest: number },
  limit: number,
): ComparedAttribute[] {
  if (!totals.selection || !totals.rest) return [];
  const floors = attributes.map(({ values }) => floorOf(values.length, totals));
  return attributes
    .map((attribute) => compare(attribute, totals))
    .filter(({ difference }, index) => difference > (floors[index] ?? 0))
    .toSorted((a, b) => b.difference - a.difference || (a.key < b.key ? -1 : 1))
    .slice(0, limit);
}

/** What chance alone makes of attributes with so many values in samples of this size: no more than that is no difference. */
function floorOf(values: number, { selection, rest }: { readonly selection: number; readonly rest: number }): number {
  // A share of n has a deviation of at most half of one by the root of n; several values deviate together.
  return 0.4 * Math.sqrt(values) * Math.sqrt(1 / selection + 1 / rest);
}

function compare(
  { key, values, selection, rest }: CountedAttribute,
  totals: { readonly selection: number; readonly rest: number },
): ComparedAttribute {
  const shares = (value: string, selected: number, others: number): ComparedValue => ({
    value,
    inSelection: selected / totals.selection,
    inRest: others / totals.rest,
  });
  const named = values.map((one) => shares(one.value, one.selection, one.rest));
  const missing = shares('', Math.max(0, totals.selection - selection), Math.max(0, totals.rest - rest));
  const sum = (side: 'selection' | 'rest'): number => values.reduce((all, one) => all + one[side], 0);
  const others = shares('', Math.max(0, selection - sum('selection')), Math.max(0, rest - sum('rest')));
  const all = [...named, missing, others];
  const difference = all.reduce((total, { inSelection, inRest }) => total + Math.abs(inSelection - inRest), 0) / 2;
  const shown = [...named, ...(missing.inSelection || missing.inRest ? [missing] : [])];
  const telling = shown.toSorted(
    (a, b) => b.inSelection - b.inRest - (a.inSelection - a.inRest) || (a.value < b.value ? -1 : 1),
  )[0];
  return {
    key,
    value: telling?.value ?? '',
    inSelection: telling?.inSelection ?? 0,
    inRest: telling?.inRest ?? 0,
    difference,
    values: shown
      .toSorted((a, b) => b.inSelection + b.inRest - (a.inSelection + a.inRest) || (a.value < b.value ? -1 : 1))
      .slice(0, shownValues),
  };
}

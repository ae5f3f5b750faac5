/** Reading a chart and choosing a part of it, by pointer and by keys: which columns that means. Pure. */

/** What is read, and from where on a part is being chosen. */
export interface Reading {
  readonly column: number;
  readonly anchor?: number | undefined;
}

/** First and last, both within. */
export type Columns = readonly [first: number, last: number];

const clamp = (column: number, columns: number): number => Math.max(0, Math.min(columns - 1, column));

/** Of a place from 0 to 1. */
export const columnUnder = (place: number, columns: number): number => clamp(Math.floor(place * columns), columns);

/** From where a drag began to where it ended, as shares of the width: whole columns. */
export function draggedColumns(begun: number, ended: number, columns: number): Columns | undefined {
  if (columns === 0) return undefined;
  return [columnUnder(Math.min(begun, ended), columns), columnUnder(Math.max(begun, ended), columns)];
}

export const chosenColumns = ({ column, anchor }: Reading): Columns | undefined =>
  anchor === undefined ? undefined : [Math.min(column, anchor), Math.max(column, anchor)];

const strides: Readonly<Record<string, (column: number, columns: number) => number>> = {
  ArrowLeft: (column) => column - 1,
  ArrowRight: (column) => column + 1,
  PageUp: (column) => column - 10,
  PageDown: (column) => column + 10,
  Home: () => 0,
  End: (_, columns) => columns - 1,
};

/**
 * Arrows go from column to column, with Shift they choose what they go over. The first key begins at the newest. Undefined
 * where the key says nothing here.
 */
export function readingAfter(
  before: Reading | undefined,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  columns: number,
): Reading | undefined {
  const stride = strides[key];
  if (!stride || columns === 0) return undefined;
  if (!before) return { column: key === 'Home' ? 0 : columns - 1 };
  const column = clamp(stride(before.column, columns), columns);
  return shiftKey ? { column, anchor: before.anchor ?? before.column } : { column };
}

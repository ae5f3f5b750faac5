/**
 * The whole trace in a few thousand cells: time goes to the right, rows go down, and spans that fall into the same cell
 * are drawn as one. Linear in the spans times what they cover in columns.
 */
import { categories, type Category, categoryOf } from './ops.ts';
import type { WaterfallRow } from './queries.ts';
import { place, type TimeWindow } from './scale.ts';

export interface MinimapSize {
  readonly columns: number;
  /** At most; fewer where there are fewer rows. */
  readonly lanes: number;
}

export interface Cells {
  readonly columns: number;
  readonly lanes: number;
  /** A lane after the other: 0 for nothing, else the kind of the span that was drawn last, failed ones above all. */
  readonly kinds: Uint8Array;
}

/** A stretch of cells of one kind. */
export interface CellRun {
  readonly lane: number;
  readonly from: number;
  readonly until: number;
  readonly kind: Category | 'failed';
}

const failedKind = categories.length + 1;
const kindOf = new Map(categories.map((category, kind) => [category, kind]));

/** `first` and `end` are the rows that are shown, `window` the time that they are shown in. */
export function minimapCells(
  rows: readonly WaterfallRow[],
  { first, end }: { readonly first: number; readonly end: number },
  window: TimeWindow,
  size: MinimapSize,
): Cells {
  const columns = Math.max(1, Math.floor(size.columns));
  const count = Math.max(1, end - first);
  const lanes = Math.max(1, Math.min(size.lanes, count));
  const kinds = new Uint8Array(columns * lanes);
  const draw = (index: number, kind: number): void => {
    const row = rows[index];
    if (!row) return;
    const { left, width, outside } = place(window, row.offsetUs, row.durationUs);
    if (outside) return;
    const start = Math.floor(((index - first) / count) * lanes) * columns;
    const from = Math.min(columns - 1, Math.floor(left * columns));
    kinds.fill(kind, start + from, start + Math.max(from + 1, Math.min(columns, Math.ceil((left + width) * columns))));
  };
  const failed: number[] = [];
  for (let index = first; index < end; index++) {
    const row = rows[index];
    if (row?.failed || row?.errors) failed.push(index);
    else if (row) draw(index, (kindOf.get(categoryOf(row.op)) ?? 0) + 1);
  }
  for (const index of failed) draw(index, failedKind);
  return { columns, lanes, kinds };
}

/** What is to be drawn: neighbours of one kind as one. */
export function cellRuns({ columns, lanes, kinds }: Cells): CellRun[] {
  const runs: CellRun[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    for (let from = 0, until = 0; from < columns; from = until) {
      const kind = kinds[lane * columns + from] ?? 0;
      until = from + 1;
      while (until < columns && kinds[lane * columns + until] === kind) until += 1;
      if (kind) runs.push({ lane, from, until, kind: categories[kind - 1] ?? 'failed' });
    }
  }
  return runs;
}

/** Reading the heatmap and choosing a part of it by keys: which cells that means. Pure. */
import { readingAfter } from '../charts/selection.ts';
import { type Cell, type Region, regionOfCells } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';

/** What is read, and from where on a part is being chosen. */
export interface CellReading {
  readonly cell: Cell;
  readonly anchor?: Cell | undefined;
}

const climbs: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/**
 * Arrows go from cell to cell, with Shift they choose what they go over. The first key begins at the newest time that has
 * a request. Undefined where the key says nothing here.
 */
export function cellAfter(
  before: CellReading | undefined,
  pressed: { readonly key: string; readonly shiftKey: boolean },
  heatmap: TraceHeatmap,
): CellReading | undefined {
  const climb = climbs[pressed.key];
  const [column, row] = before?.cell ?? firstCell(heatmap);
  // Along the time it is read as all charts are.
  const along = readingAfter({ column }, { ...pressed, shiftKey: false }, heatmap.columns);
  if (!heatmap.rows.length || (climb === undefined && !along)) return undefined;
  if (!before) return { cell: [column, row] };
  const cell: Cell = [along?.column ?? column, clamp(row + (climb ?? 0), heatmap.rows.length)];
  return pressed.shiftKey ? { cell, anchor: before.anchor ?? before.cell } : { cell };
}

/** A click chooses one cell, and so does Enter. */
export const chosenRegion = ({ cell, anchor = cell }: CellReading, heatmap: TraceHeatmap): Region =>
  regionOfCells(anchor, cell, heatmap);

const clamp = (row: number, rows: number): number => Math.max(0, Math.min(rows - 1, row));

/** The newest column that has any, and of it the row that has most. */
function firstCell({ cells, columns }: TraceHeatmap): Cell {
  const newest = Math.max(...cells.map(([column]) => column));
  const [found] = cells.filter(([column]) => column === newest).toSorted((a, b) => b[2] - a[2]);
  return found ? [found[0], found[1]] : [columns - 1, 0];
}

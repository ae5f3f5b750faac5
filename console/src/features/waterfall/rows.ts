/**
 * Which rows the waterfall shows, from what is folded, opened and focused. Pure; linear in the spans of the trace and
 * without recursion, since a trace may be as deep as it has spans.
 */
import { ancestorsOf, type IndexedTrace } from './index-trace.ts';

export interface View {
  /** Keys of spans whose children are hidden. */
  readonly folded: ReadonlySet<string>;
  /** Keys of the first spans of runs that are shown one by one. */
  readonly opened: ReadonlySet<string>;
  /** Index of the only row whose subtree is shown, -1 for the whole trace. */
  readonly focus: number;
}

export interface VisibleRow {
  /** Names it while spans come. */
  readonly key: string;
  /** Index into the rows of the trace; of a run its first. */
  readonly row: number;
  /** Spans that this one row stands for; 0: it is a span itself. */
  readonly run: number;
  /** 1 for what stands outermost. */
  readonly level: number;
  /** Undefined where there is nothing to unfold. */
  readonly expanded: boolean | undefined;
  /** Among its siblings, from 1. */
  position: number;
  siblings: number;
}

export function visibleRows(index: IndexedTrace, { folded, opened, focus }: View): VisibleRow[] {
  const { rows, keys, runs } = index;
  const top = rows[focus];
  const first = top ? focus : 0;
  const end = top ? focus + top.below + 1 : rows.length;
  const outermost = top?.depth ?? 0;
  const visible: VisibleRow[] = [];
  const show = (row: number, level: number, run: number, expanded: boolean | undefined): void => {
    const key = keys[row] ?? '';
    visible.push({ key: run ? `run ${key}` : key, row, run, level, expanded, position: 1, siblings: 1 });
  };
  for (let at = first; at < end;) {
    const row = rows[at];
    const key = keys[at];
    if (!row || key === undefined) break;
    const level = row.depth - outermost + 1;
    const run = at === focus ? 0 : (runs[at] ?? 0);
    if (run > 0) {
      const open = opened.has(key);
      show(at, level, run, open);
      if (open) for (let each = at; each < at + run; each++) show(each, level + 1, 0, undefined);
      at += run;
      continue;
    }
    const isFolded = row.below > 0 && folded.has(key);
    show(at, level, 0, row.below > 0 ? !isFolded : undefined);
    at += isFolded ? row.below + 1 : 1;
  }
  countSiblings(visible);
  return visible;
}

/** Sets position and number of siblings: once forwards, once backwards. */
function countSiblings(visible: readonly VisibleRow[]): void {
  const counts: number[] = [];
  for (const row of visible) {
    row.position = (counts[row.level] ?? 0) + 1;
    counts[row.level] = row.position;
    counts[row.level + 1] = 0;
  }
  const sizes: number[] = [];
  for (let at = visible.length - 1; at >= 0; at--) {
    const row = visible[at];
    if (!row) continue;
    row.siblings = sizes[row.level] || row.position;
    sizes[row.level] = row.siblings;
    sizes[row.level + 1] = 0;
  }
}

/** The view in which the row is to be seen: what hides it is unfolded, and a focus elsewhere given up. */
export function revealed(index: IndexedTrace, view: View, row: number): View {
  const { rows, keys, runOf } = index;
  const folded = new Set(view.folded);
  for (const above of ancestorsOf(index, row)) folded.delete(keys[above] ?? '');
  const run = keys[runOf[row] ?? -1];
  const opened = run === undefined || view.opened.has(run) ? view.opened : new Set([...view.opened, run]);
  const below = rows[view.focus]?.below ?? 0;
  const inFocus = view.focus < 0 || (row >= view.focus && row <= view.focus + below);
  return { folded: folded.size === view.folded.size ? view.folded : folded, opened, focus: inFocus ? view.focus : -1 };
}

/** Folds everything from this level on; 1 leaves the outermost rows, Infinity unfolds all. */
export function foldedBeyond({ rows, keys }: IndexedTrace, level: number, focus = -1): Set<string> {
  const outermost = rows[focus]?.depth ?? 0;
  const folded = new Set<string>();
  rows.forEach((row, index) => {
    if (row.below > 0 && row.depth - outermost + 1 >= level) folded.add(keys[index] ?? '');
  });
  return folded;
}

export type Step =
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'fold' | 'unfold'; readonly at: number };

/** What a key does in a tree grid; undefined where it does nothing. `page` is the number of rows in sight. */
export function stepOf(visible: readonly VisibleRow[], at: number, key: string, page: number): Step | undefined {
  const row = visible[at];
  if (!row) return undefined;
  const move = (to: number): Step => ({ kind: 'move', to: Math.max(0, Math.min(visible.length - 1, to)) });
  switch (key) {
    case 'ArrowDown':
      return move(at + 1);
    case 'ArrowUp':
      return move(at - 1);
    case 'PageDown':
      return move(at + page);
    case 'PageUp':
      return move(at - page);
    case 'Home':
      return move(0);
    case 'End':
      return move(visible.length - 1);
    case 'ArrowRight':
      if (row.expanded === false) return { kind: 'unfold', at };
      return row.expanded ? move(at + 1) : undefined;
    case 'ArrowLeft': {
      if (row.expanded) return { kind: 'fold', at };
      let parent = at - 1;
      while (parent >= 0 && (visible[parent]?.level ?? 0) >= row.level) parent -= 1;
      return parent >= 0 ? move(parent) : undefined;
    }
    default:
      return undefined;
  }
}

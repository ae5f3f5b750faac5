import { useRef, useState } from 'react';
import type { Issue } from '../../features/issues/queries.ts';

export interface Selection {
  /** Those that are still on this page. */
  readonly chosen: readonly Issue[];
  readonly has: (id: string) => boolean;
  /** Everything that the search finds, not only what is on this page. */
  readonly whole: boolean;
  readonly toggle: (index: number) => void;
  /** From the row that was chosen last to this one, as that one is. */
  readonly extendTo: (index: number) => void;
  readonly all: (on: boolean) => void;
  readonly everything: () => void;
  readonly clear: () => void;
}

/** Which rows are chosen, one by one, in a row, all of the page, or all that match. */
export function useSelection(issues: readonly Issue[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [whole, setWhole] = useState(false);
  const last = useRef<number | undefined>(undefined);
  const put = (next: ReadonlySet<string>): void => {
    setSelected(next);
    setWhole(false);
  };
  const range = (from: number, to: number, on: boolean): void => {
    const next = new Set(selected);
    for (const { id } of issues.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (on) next.add(id);
      else next.delete(id);
    }
    last.current = to;
    put(next);
  };
  return {
    chosen: issues.filter(({ id }) => selected.has(id)),
    has: (id) => selected.has(id),
    whole,
    toggle: (index) => range(index, index, !selected.has(issues[index]?.id ?? '')),
    extendTo: (index) => {
      const from = last.current ?? index;
      const start = issues[from]?.id ?? '';
      // Where nothing is chosen yet, the first row of the range is.
      range(from, index, last.current === undefined || selected.size === 0 || selected.has(start));
    },
    all: (on) => put(new Set(on ? issues.map(({ id }) => id) : [])),
    everything: () => {
      setSelected(new Set(issues.map(({ id }) => id)));
      setWhole(true);
    },
    clear: () => {
      last.current = undefined;
      put(new Set());
    },
  };
}

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { Issue } from '../../features/issues/queries.ts';

/** The row that had the focus last: whoever comes back to this list goes on from there. */
let place: { readonly address: string; readonly id: string; readonly index: number } | undefined;

export interface Rows {
  /** Index of the row with the focus, or with the focus within; -1 for none. */
  readonly focused: () => number;
  readonly focus: (index: number) => void;
  readonly move: (step: 1 | -1) => number;
  /** As a click does. */
  readonly open: () => void;
  readonly note: (index: number) => void;
}

/** The focus among the rows of `issues`: it walks, comes back to where it was, and stays in its place when its row goes. */
export function useRows(list: RefObject<HTMLUListElement | null>, address: string, issues: readonly Issue[]): Rows {
  const links = (): HTMLAnchorElement[] => [
    ...(list.current?.querySelectorAll<HTMLAnchorElement>('li:not([data-leaving]) a[data-row]') ?? []),
  ];
  const focused = (): number => {
    const row = document.activeElement?.closest('li');
    return row ? links().findIndex((link) => link.closest('li') === row) : -1;
  };
  const focus = (index: number): void => {
    const all = links();
    all[Math.max(0, Math.min(all.length - 1, index))]?.focus();
  };

  const goOn = useEffectEvent((rows: readonly Issue[], inPlace: boolean) => {
    if (place?.address !== address || document.activeElement !== document.body) return;
    const at = rows.findIndex(({ id }) => id === place?.id);
    if (at >= 0) links()[at]?.focus({ preventScroll: true });
    else if (inPlace) focus(place.index);
  });
  const comeBack = useEffectEvent(() => goOn(issues, false));
  useEffect(() => comeBack(), []);
  // Its row is gone, by somebody else or since the list was asked for again: the row in its place has the focus now.
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current) goOn(issues, true);
  }, [issues]);
  useEffect(() => {
    // A press elsewhere takes the focus without giving it to anything.
    const look = ({ target }: Event): void => {
      hadFocus.current = target instanceof Node && list.current?.contains(target) === true;
    };
    const events = ['focusin', 'pointerdown'];
    for (const each of events) document.addEventListener(each, look);
    return () => {
      for (const each of events) document.removeEventListener(each, look);
    };
  }, [list]);

  return {
    focused,
    focus,
    move: (step) => {
      const at = focused();
      const to = at < 0 ? 0 : Math.max(0, Math.min(issues.length - 1, at + step));
      focus(to);
      return to;
    },
    open: () => links()[focused()]?.click(),
    note: (index) => {
      const id = issues[index]?.id;
      if (id !== undefined) place = { address, id, index };
    },
  };
}

import { useEffect, useRef, useState } from 'react';
import type { RowActions } from './IssueRow.tsx';

/** The same functions at each drawing, which do what the newest ones do: rows need not be drawn anew for them. */
export function useRowActions(actions: RowActions): RowActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState<RowActions>(() => ({
    toggle: (...args) => latest.current.toggle(...args),
    focused: (...args) => latest.current.focused(...args),
    filter: (...args) => latest.current.filter(...args),
    openMenu: (...args) => latest.current.openMenu(...args),
  }));
  return stable;
}

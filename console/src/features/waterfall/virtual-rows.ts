/** Only the rows in sight are drawn, and the one that has the focus, which would lose it otherwise. */
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useCallback, type RefObject } from 'react';
import { useVirtualRows } from '../breadcrumbs/use-virtual-rows.ts';

export function useSpanRows({
  scroller,
  count,
  height,
  header,
  active,
  keyAt,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** px of each row. */
  readonly height: number;
  /** px that stand still above the rows. */
  readonly header: number;
  /** Index of the row that takes part in tabbing. */
  readonly active: number;
  readonly keyAt: (index: number) => string;
}) {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (active < 0 || active >= range.count) return indexes;
      if (active < (indexes[0] ?? 0)) return [active, ...indexes];
      return active > (indexes.at(-1) ?? 0) ? [...indexes, active] : indexes;
    },
    [active],
  );
  return useVirtualRows({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: keyAt,
    overscan: 12,
    scrollMargin: header,
    scrollPaddingStart: header,
    rangeExtractor,
  });
}

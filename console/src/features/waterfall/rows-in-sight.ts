/**
 * Which rows are drawn: those in sight with some around them, and the one that has the focus, which would lose it
 * otherwise. All are of one height, so where a row stands is a product and nothing is measured.
 */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** Rows drawn above and below what is in sight. */
const around = 12;
/** Others are drawn when so many rows have gone by. */
const stride = 4;
/** px that are in sight before the height is known: what is drawn first is seen first. */
const firstPx = 600;

export interface Sight {
  readonly first: number;
  /** The one after the last. */
  readonly end: number;
}

/** `topPx` is what was scrolled away; rows beyond the last are the caller's to leave out. */
export function sightOf(topPx: number, viewPx: number, rowPx: number): Sight {
  const first = Math.floor(topPx / rowPx) - around;
  const end = Math.ceil((topPx + viewPx) / rowPx) + around;
  return { first: Math.max(0, Math.floor(first / stride) * stride), end: Math.ceil(end / stride) * stride };
}

/** Places among `count` rows. Fewer rows than before may end above what was in sight. */
export function drawnRows({ first, end }: Sight, count: number, active: number): number[] {
  const until = Math.min(end, count);
  const from = Math.max(0, Math.min(first, count - (end - first)));
  const drawn = Array.from({ length: Math.max(0, until - from) }, (_, offset) => from + offset);
  if (active < 0 || active >= count) return drawn;
  if (active < from) return [active, ...drawn];
  return active >= until ? [...drawn, active] : drawn;
}

/** px to scroll to so that the row is in sight, as little as that takes. `header` px stand still above the rows. */
export function scrolledTo(at: number, rowPx: number, topPx: number, viewPx: number, header: number): number {
  const top = at * rowPx;
  return top < topPx ? top : Math.max(topPx, top + rowPx - (viewPx - header));
}

export function useSpanRows(scroller: RefObject<HTMLElement | null>, rowPx: number, header: number) {
  const [sight, setSight] = useState(() => sightOf(0, firstPx, rowPx));
  const shown = useRef(sight);
  const isMeasured = useRef(false);
  // What is scrolled stands around who draws the rows, and is not known to their layout effects when it is made.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let viewPx = firstPx;
    const look = (): Sight | undefined => {
      const next = sightOf(element.scrollTop, viewPx, rowPx);
      if (next.first === shown.current.first && next.end === shown.current.end) return undefined;
      shown.current = next;
      return next;
    };
    const observer = new ResizeObserver(([entry]) => {
      isMeasured.current = true;
      viewPx = entry?.contentRect.height ?? viewPx;
      const next = look();
      if (next) setSight(next);
    });
    observer.observe(element);
    // In the frame that was scrolled, or it would show a white stretch after a jump.
    const onScroll = (): void => {
      const next = look();
      if (next) flushSync(() => setSight(next));
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, rowPx]);

  /** Brings a row into sight. */
  const show = (at: number): void => {
    const element = scroller.current;
    // Before anything was scrolled the first rows are in sight; to measure would lay the page out twice.
    if (!element || (!isMeasured.current && (at + 1) * rowPx < firstPx / 2)) return;
    element.scrollTo({ top: scrolledTo(at, rowPx, element.scrollTop, element.clientHeight, header) });
  };
  return { sight, show };
}

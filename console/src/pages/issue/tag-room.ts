/** How many tags stand in the side column at first: as many as the event beside it is long. */
import { useEffect, useState, type RefObject } from 'react';

const least = 3;
export const most = 8;
/** Values of a tag that are shown. */
export const maxValues = 4;

/** px, as in the style sheet: the name of a tag with the gap below it, one of its values, and a value that never changes. */
const nameHeight = 30;
const valueHeight = 26;
const constantHeight = 28;

export const isConstant = ({ uniqueValues }: { readonly uniqueValues: number }): boolean => uniqueValues === 1;

/** `room` in px. Pure. */
export function fitting(
  tags: readonly { readonly uniqueValues: number; readonly topValues: { readonly length: number } }[],
  room: number,
): number {
  let left = room;
  const beyond = tags.findIndex((tag) => {
    left -= isConstant(tag) ? constantHeight : nameHeight + valueHeight * Math.min(maxValues, tag.topValues.length);
    return left < 0;
  });
  return Math.max(least, Math.min(most, beyond < 0 ? tags.length : beyond));
}

/**
 * px from the top of `list` to the end of what stands beside its column; infinite where nothing does. Neither depends on
 * how long the list is.
 */
export function useRoom(list: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Infinity);
  useEffect(() => {
    const column = list.current?.closest('aside');
    const beside = column?.parentElement?.lastElementChild;
    if (!column || !beside) return;
    const observer = new ResizeObserver(() => {
      const [own, other] = [list.current?.getBoundingClientRect(), beside.getBoundingClientRect()];
      setRoom(own && own.left >= other.right ? Math.round(other.bottom - own.top) : Infinity);
    });
    for (const each of [column, beside]) observer.observe(each);
    return () => observer.disconnect();
  }, [list]);
  return room;
}

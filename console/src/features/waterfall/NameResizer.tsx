import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import * as m from '../../messages/waterfall.ts';
import styles from './Waterfall.module.css';

const storageKey = 'culprit:waterfall-names';
const least = 160;
const most = 900;
const usual = 460;

const bounded = (width: number): number => Math.round(Math.max(least, Math.min(most, width)));

/** px of the column of names, as it was left. */
export function readNameWidth(): number {
  try {
    const width = Number(localStorage.getItem(storageKey));
    return width > 0 ? bounded(width) : usual;
  } catch {
    return usual;
  }
}

function keep(width: number): void {
  try {
    localStorage.setItem(storageKey, String(width));
  } catch {
    // Without storage the width holds for this visit.
  }
}

/** Divides names from times; dragged, or moved with the arrow keys. */
export function NameResizer({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const start = useRef<{ x: number; width: number } | undefined>(undefined);
  const set = (next: number): void => {
    onWidth(bounded(next));
    keep(bounded(next));
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    start.current = { x: event.clientX, width };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (start.current) set(start.current.width + event.clientX - start.current.x);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -16, ArrowRight: 16, PageUp: 96, PageDown: -96 }[event.key];
    if (by) set(width + by);
    else if (event.key === 'Home') set(least);
    else if (event.key === 'End') set(most);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={m.resizeNames}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width}
      tabIndex={0}
      className={styles.resizer}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (start.current = undefined)}
      onPointerCancel={() => (start.current = undefined)}
      onDoubleClick={() => set(usual)}
      onKeyDown={onKeyDown}
    />
  );
}

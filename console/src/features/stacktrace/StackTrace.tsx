import type { StackOrder } from '@culprit/stacktrace';
import { type ReactNode, useState } from 'react';
import { useCommand } from '../commands/commands.ts';
import type { Frame, Stacktrace } from '../event/types.ts';
import * as m from '../../messages/stacktrace.ts';
import { FrameRow } from './FrameRow.tsx';
import { firstInAppIndex, type FrameNames, type PlacedFrame, scriptNames, type StackRow, stackRows } from './frames.ts';
import styles from './stacktrace.module.css';

export interface StackTraceProps {
  readonly stacktrace: Stacktrace;
  readonly platform: string | null;
  /** Calls of others in sight too. */
  readonly full: boolean;
  /** Whether the key for the next in-app frame walks this one. */
  readonly main: boolean;
  readonly names?: FrameNames;
  readonly order?: StackOrder;
}

/** Frames from the newest call to the oldest, or the other way; the first in-app frame stands open. Mount anew (`key`) for another event. */
export function StackTrace({ stacktrace, platform, full, main, names = scriptNames, order }: StackTraceProps) {
  const { frames } = stacktrace;
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set([firstInAppIndex(frames)]));
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());

  const toggle = (index: number): void => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };

  useCommand(
    'issue.next-frame',
    () => {
      const isNext = (frame: Frame): boolean => frame.inApp && frame.context.length > 0;
      const below = frames.slice(0, Math.min(...open)).findLastIndex(isNext);
      const next = below < 0 ? frames.findLastIndex(isNext) : below;
      if (next < 0) return;
      setOpen(new Set([next]));
      requestAnimationFrame(() =>
        document.querySelector(`[data-frame="${next}"] button`)?.scrollIntoView({ block: 'nearest' }),
      );
    },
    main,
  );

  const ordered = <T,>(rows: readonly T[]): readonly T[] => (order === 'oldest' ? rows.toReversed() : rows);
  const drawn = (row: StackRow): ReactNode => {
    if (row.kind === 'omitted') {
      return (
        <li key="omitted" className={styles.omitted}>
          {m.omitted({ count: row.count })}
        </li>
      );
    }
    if (row.kind !== 'frame' && !unfolded.has(row.id)) {
      return (
        <li key={row.id} className={styles.folded}>
          <button type="button" onClick={() => setUnfolded(new Set(unfolded).add(row.id))} aria-expanded="false">
            {row.kind === 'folded'
              ? m.folded({ count: row.count })
              : m.repeated({ times: row.times, calls: row.frames.length / row.times })}
          </button>
        </li>
      );
    }
    return row.kind === 'folded' ? ordered(row.rows).map(drawn) : ordered(row.frames).map(drawnFrame);
  };
  const drawnFrame = ({ frame, index }: PlacedFrame): ReactNode => (
    <FrameRow
      key={index}
      index={index}
      frame={frame}
      platform={platform}
      names={names}
      open={open.has(index)}
      onToggle={() => toggle(index)}
    />
  );

  if (frames.length === 0) return <NoStack />;
  return <ol className={styles.stack}>{ordered(stackRows(frames, stacktrace.framesOmitted, full)).map(drawn)}</ol>;
}

export const NoStack = () => <p className={styles.noStack}>{m.none}</p>;

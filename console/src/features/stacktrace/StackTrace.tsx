import type { StackOrder } from '@culprit/stacktrace';
import { type ReactNode, useState } from 'react';
import { useCommand } from '../commands/commands.ts';
import type { Stacktrace } from '../event/types.ts';
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

  const toggle = (index: number): void =>
    setOpen(open.has(index) ? new Set([...open].filter((each) => each !== index)) : new Set([...open, index]));

  useCommand(
    'issue.next-frame',
    () => {
      const inApp = frames
        .map((frame, index) => ({ frame, index }))
        .filter(({ frame }) => frame.inApp && frame.context.length > 0);
      const lowest = Math.min(...open);
      const next = inApp.findLast(({ index }) => index < lowest) ?? inApp.at(-1);
      if (!next) return;
      setOpen(new Set([next.index]));
      requestAnimationFrame(() =>
        document.querySelector(`[data-frame="${next.index}"] button`)?.scrollIntoView({ block: 'nearest' }),
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
          <button type="button" onClick={() => setUnfolded(new Set([...unfolded, row.id]))} aria-expanded="false">
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

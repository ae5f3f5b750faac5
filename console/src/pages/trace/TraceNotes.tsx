import { useMemo } from 'react';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { notesOf } from '../../features/waterfall/words.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TracePage.module.css';

/** What is odd about the trace: in one line, in sentences when unfolded. */
export function TraceNotes({
  index,
  missing,
  onShow,
}: {
  readonly index: IndexedTrace;
  /** Id of a span that a link names and that is not among the rows. */
  readonly missing: string | undefined;
  readonly onShow: (row: number) => void;
}) {
  const notes = useMemo(() => notesOf(index), [index]);
  return (
    <>
      {missing !== undefined && (
        <p className={styles.missing} role="status">
          {index.trace.left > 0
            ? `Span ${missing} is not among the spans that are shown.`
            : `Span ${missing} was not received, or not yet; it is shown when it comes.`}
        </p>
      )}
      {notes.length > 0 && (
        <details className={styles.notes}>
          <summary>
            <span>{notes.map(({ short }) => short).join(' · ')}</span>
          </summary>
          <ul>
            {notes.map(({ short, text, row }) => (
              <li key={short}>
                {text}
                {row !== undefined && row >= 0 && (
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`Show the first: ${short}`}
                    onClick={() => onShow(row)}
                  >
                    Show the first
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

import { useId, useMemo, useState } from 'react';
import type { IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { notesOf } from '../../features/waterfall/words.ts';
import * as m from '../../messages/trace.ts';
import { Button } from '../../ui/Button.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './TracePage.module.css';

/** What is odd about the trace: in one line, in sentences when unfolded. */
export function TraceNotes({
  index,
  onShow,
}: {
  readonly index: IndexedTrace;
  readonly onShow: (row: number) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const notes = useMemo(() => notesOf(index), [index]);
  if (!notes.length) return null;
  return (
    <div className={styles.inset}>
      <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
        <Text small cut>
          {notes.map(({ short }) => short).join(' · ')}
        </Text>
      </Disclosure>
      {open && (
        <ul id={id} className={styles.notes}>
          {notes.map(({ short, text, row }) => (
            <li key={short}>
              {text}{' '}
              {row !== undefined && row >= 0 && (
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={m.showFirstOf({ note: short })}
                  onClick={() => onShow(row)}
                >
                  {m.showFirst}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

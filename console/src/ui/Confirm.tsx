import { useState, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import styles from './Confirm.module.css';
import { Dialog } from './Dialog.tsx';
import { TextField } from './Field.tsx';

/** For what cannot be undone. With `typed`, the reader has to write that word first. */
export function Confirm({
  title,
  action,
  typed,
  busy = false,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly typed?: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <div>{children}</div>
        {typed && (
          <TextField
            label={`Type ${typed} to confirm`}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" busy={busy} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

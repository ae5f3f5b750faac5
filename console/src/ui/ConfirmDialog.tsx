import { useState, type ReactNode } from 'react';
import * as words from '../messages/dialog.ts';
import * as m from '../messages/ui.ts';
import { Button } from './Button.tsx';
import styles from './Confirm.module.css';
import { Dialog, DialogBody } from './Dialog.tsx';
import { TextField } from './Field.tsx';
import { Stack } from './Layout.tsx';

export interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  /** A word that the reader has to write first. */
  readonly typed?: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ConfirmDialog({ title, action, typed, busy = false, onConfirm, onClose, children }: ConfirmProps) {
  const [text, setText] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onConfirm();
          }}
        >
          <Stack>
            <div>{children}</div>
            {typed && (
              <TextField
                label={words.typeToConfirm({ word: typed })}
                value={text}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setText(event.target.value)}
              />
            )}
            <div className={styles.actions}>
              <Button onClick={onClose}>{m.cancel}</Button>
              <Button variant="danger" type="submit" busy={busy} disabled={typed !== undefined && text !== typed}>
                {action}
              </Button>
            </div>
          </Stack>
        </form>
      </DialogBody>
    </Dialog>
  );
}

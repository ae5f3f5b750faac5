import type { ReactNode } from 'react';
import * as m from '../messages/edit-form.ts';
import { Button } from './Button.tsx';
import styles from './EditForm.module.css';

/**
 * A page that is edited as a whole. The bar at its foot saves it or goes back to what is saved, and tells which of both
 * there is; `readOnly` stands there instead for those who may not save.
 */
export function EditForm({
  changed,
  problems,
  busy,
  readOnly,
  onSave,
  onDiscard,
  after,
  children,
}: {
  readonly changed: boolean;
  /** How many mistakes keep it from being saved. */
  readonly problems: number;
  readonly busy: boolean;
  readonly readOnly?: ReactNode;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  /** What stands below the bar. */
  readonly after?: ReactNode;
  readonly children: ReactNode;
}) {
  const canSave = changed && problems === 0;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) onSave();
      }}
    >
      {children}
      <div className={styles.bar}>
        {readOnly ?? (
          <>
            <Button type="submit" variant="primary" busy={busy} disabled={!canSave}>
              {m.save}
            </Button>
            <Button disabled={!changed} onClick={onDiscard}>
              {m.discard}
            </Button>
            <output className={styles.state}>
              {problems > 0 ? m.problems({ count: problems }) : changed ? m.unsaved : m.saved}
            </output>
          </>
        )}
      </div>
      {after}
    </form>
  );
}

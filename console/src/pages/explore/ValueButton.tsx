import { use } from 'react';
import styles from './ExplorePage.module.css';
import { ValueMenuContext } from './value-menu.ts';

/** A value that can be filtered by, excluded, grouped by or copied. */
export function ValueButton({
  field,
  value,
  text,
}: {
  readonly field: string;
  readonly value: unknown;
  readonly text: string;
}) {
  const open = use(ValueMenuContext);
  const isAbsent =
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return (
    <button
      type="button"
      className={styles.value}
      data-absent={isAbsent || undefined}
      aria-haspopup="dialog"
      title={text}
      translate={isAbsent ? undefined : 'no'}
      onClick={(event) => open({ field, value, text, anchor: event.currentTarget })}
    >
      {text}
    </button>
  );
}

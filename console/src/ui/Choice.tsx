import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Choice.module.css';

/** Choices of one question, which `label` asks. They flow, or stand in columns or lines. */
export function ChoiceGroup({
  label,
  layout = 'flow',
  children,
}: {
  readonly label: string;
  readonly layout?: 'flow' | 'columns' | 'lines';
  readonly children: ReactNode;
}) {
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={cx(styles.choices, styles[layout])}>{children}</div>
    </fieldset>
  );
}

/** A box to tick, or with `type="radio"` one of several. `hint` explains it, `end` stands at the end of its line. */
export function Choice({
  label,
  hint,
  end,
  type = 'checkbox',
  error,
  ...rest
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly end?: ReactNode;
  readonly type?: 'checkbox' | 'radio';
  /** What is wrong with what is chosen; the form says it. */
  readonly error?: string | undefined;
} & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className={styles.choice}>
      <input {...rest} type={type} aria-invalid={error ? true : undefined} />
      <span className={styles.text}>
        {label}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
      {end && <span className={styles.end}>{end}</span>}
    </label>
  );
}

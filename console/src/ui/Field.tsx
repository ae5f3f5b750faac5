import { useEffect, useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Field.module.css';

/** For the name of something that is no single input. */
export const fieldLabelClass = styles.label ?? '';

interface FieldShared {
  readonly label: string;
  /** One line under the control, always there. */
  readonly hint?: ReactNode;
  /** What is wrong; replaces the hint and is announced. */
  readonly error?: string | undefined;
}

function Frame({
  label,
  hint,
  error,
  id,
  children,
}: FieldShared & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {error ? (
        <p className={styles.error} id={`${id}-note`} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p className={styles.hint} id={`${id}-note`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** `focused` takes the focus once, for pages whose first act is to write here. */
export function TextField({
  label,
  hint,
  error,
  mono,
  focused = false,
  className,
  ...rest
}: FieldShared & {
  readonly mono?: boolean;
  readonly focused?: boolean;
} & ComponentProps<'input'>) {
  const id = useId();
  useEffect(() => {
    if (focused) document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus();
  }, [focused, id]);
  return (
    <Frame label={label} hint={hint} error={error} id={id}>
      <input
        id={id}
        {...rest}
        className={cx(styles.input, mono && styles.mono, className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      />
    </Frame>
  );
}

export function TextArea({ label, hint, error, ...rest }: FieldShared & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} error={error} id={id}>
      <textarea
        id={id}
        rows={2}
        {...rest}
        className={cx(styles.input, styles.area)}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      />
    </Frame>
  );
}

export function SelectField({ label, hint, error, children, ...rest }: FieldShared & ComponentProps<'select'>) {
  const id = useId();
  return (
    <Frame label={label} hint={hint} error={error} id={id}>
      <span className={styles.select}>
        <select
          id={id}
          {...rest}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
        >
          {children}
        </select>
      </span>
    </Frame>
  );
}

/** A text field without a visible label, for rows of them. */
export function InlineInput({ label, ...rest }: { readonly label: string } & ComponentProps<'input'>) {
  return <input autoComplete="off" spellCheck={false} {...rest} className={styles.input} aria-label={label} />;
}

/** A select without a visible label, for tool bars. */
export function InlineSelect({
  label,
  icon,
  className,
  children,
  ...rest
}: { readonly label: string; readonly icon?: ReactNode } & ComponentProps<'select'>) {
  return (
    <span className={cx(styles.inline, className)} data-set={rest.value ? true : undefined}>
      {icon}
      <select {...rest} aria-label={label}>
        {children}
      </select>
    </span>
  );
}

export function Toggle({ label, hint, error, ...rest }: FieldShared & ComponentProps<'input'>) {
  const id = useId();
  const note = error || hint;
  return (
    <div className={styles.toggle}>
      <input
        type="checkbox"
        id={id}
        {...rest}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {note && (
          <p className={error ? styles.error : styles.hint} id={`${id}-note`} role={error ? 'alert' : undefined}>
            {note}
          </p>
        )}
      </div>
    </div>
  );
}

import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import styles from './Button.module.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'normal' | 'primary' | 'ghost' | 'danger';
  readonly size?: 'small' | 'normal';
  readonly icon?: ReactNode;
  /** Shows that the action is under way and keeps it from starting twice. */
  readonly busy?: boolean;
  /** Shown on hover and focus, e.g. the key. */
  readonly tip?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'normal',
  size = 'normal',
  icon,
  busy = false,
  tip,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      data-tip={tip}
      className={cx(styles.button, styles[variant], styles[size], !children && styles.square, className)}
    >
      {icon}
      {children}
    </button>
  );
}

/** A button that shows only an icon; the label is its name and its tip. */
export function IconButton({ label, tip, ...rest }: Omit<ButtonProps, 'children'> & { readonly label: string }) {
  return <Button variant="ghost" {...rest} aria-label={label} tip={tip ?? label} />;
}

/** Class names for links that look like buttons. */
export function buttonClass(
  variant: NonNullable<ButtonProps['variant']> = 'normal',
  size: NonNullable<ButtonProps['size']> = 'normal',
): string {
  return cx(styles.button, styles[variant], styles[size]);
}

import type { ReactNode } from 'react';
import styles from './Menu.module.css';

export { styles as menuStyles };

/** Rows of a popover, whose arrow keys walk them. */
export function MenuList({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return <fieldset aria-label={label}>{children}</fieldset>;
}

export function MenuButton({
  icon,
  end,
  current,
  children,
  onClick,
}: {
  readonly icon?: ReactNode;
  readonly end?: ReactNode;
  readonly current?: boolean;
  readonly children: ReactNode;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className={styles.item} aria-current={current ? 'true' : undefined} onClick={onClick}>
      {icon}
      {children}
      {end && <span className={styles.end}>{end}</span>}
    </button>
  );
}

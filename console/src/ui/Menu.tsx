import type { KeyboardEvent, ReactNode } from 'react';
import styles from './Menu.module.css';

export { styles as menuStyles };

/** Rows of a popover; arrow keys walk them, as everywhere else. */
export function MenuList({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return (
    <div role="group" aria-label={label} onKeyDown={walk}>
      {children}
    </div>
  );
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

function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[(at + step + rows.length) % rows.length]?.focus();
  event.preventDefault();
}

import { FoldedIcon } from './icons.ts';
import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';

/** A button that unfolds what has the id `controls`. */
export function Disclosure({
  open,
  controls,
  onToggle,
  children,
}: {
  readonly open: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" className={styles.button} aria-expanded={open} aria-controls={controls} onClick={onToggle}>
      <FoldedIcon size={14} aria-hidden="true" />
      {children}
    </button>
  );
}

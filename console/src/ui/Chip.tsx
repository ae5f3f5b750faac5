import { RemoveIcon } from './icons.ts';
import { Children, type ButtonHTMLAttributes, type ReactNode } from 'react';
import styles from './Chip.module.css';

/** Chips side by side; each child is one. */
export function Chips({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.chips} aria-label={label}>
      {Children.map(children, (child) => child && <li>{child}</li>)}
    </ul>
  );
}

/** For links that look like chips, around a `ChipText`. */
export const chipClass = styles.chip ?? '';

interface Text {
  /** What the value is of, e.g. the field of a filter. */
  readonly name?: ReactNode;
  /** Shows that pressing it takes it away. */
  readonly removes?: boolean;
  readonly children: ReactNode;
}

export function ChipText({ name, removes = false, children }: Text) {
  return (
    <>
      {name && <span className={styles.name}>{name}</span>}
      <span className={styles.value}>{children}</span>
      {removes && <RemoveIcon size={12} aria-hidden="true" />}
    </>
  );
}

/** A value in a rounded frame that does something; one that removes says so in its `aria-label`. */
export function Chip({ name, removes, children, ...rest }: Text & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} className={styles.chip}>
      <ChipText name={name} removes={removes ?? false}>
        {children}
      </ChipText>
    </button>
  );
}

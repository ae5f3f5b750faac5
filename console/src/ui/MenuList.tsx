import type { ReactNode } from 'react';
import { ItemContent, type ItemProps, menuStyles as styles } from './menu-item.tsx';

export { styles as menuStyles };

/** Choices of a `Popover` that has more than these, such as a form below them; arrow keys walk them. */
export function MenuList({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return <fieldset aria-label={label}>{children}</fieldset>;
}

export function MenuButton({ current, onClick, ...content }: ItemProps & { readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.item} aria-current={current ? 'true' : undefined} onClick={onClick}>
      <ItemContent {...content} />
    </button>
  );
}

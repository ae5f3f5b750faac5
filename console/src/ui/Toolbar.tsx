import { SearchIcon } from './icons.ts';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { fieldFrameClass } from './field-frame.ts';
import styles from './Toolbar.module.css';

/** What is above a list: the first child, a search field, takes the room that the others leave, up to its measure. */
export function Toolbar({
  label,
  bare = false,
  children,
}: {
  readonly label?: string;
  /** Within a panel, whose edges are its own. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={cx(styles.toolbar, bare && styles.bare)} {...(label && { role: 'group', 'aria-label': label })}>
      {children}
    </div>
  );
}

/** Moves what follows to the end of the bar. */
export const ToolbarGap = () => <span className={styles.gap} />;

/**
 * A field that narrows what is listed, named by `label` only; `end` stands inside of it: how many match, steps to the next.
 * `onSearch` gets what is written when Enter is pressed.
 */
export function SearchInput({
  label,
  end,
  onSearch,
  ...rest
}: {
  readonly label: string;
  readonly end?: ReactNode;
  readonly onSearch?: (text: string) => void;
} & ComponentProps<'input'>) {
  return (
    <span className={cx(fieldFrameClass, styles.search)}>
      <SearchIcon size={14} aria-hidden="true" />
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        {...(onSearch && {
          enterKeyHint: 'search',
          onKeyDown: (event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSearch(event.currentTarget.value.trim());
          },
        })}
        {...rest}
        aria-label={label}
      />
      {end}
    </span>
  );
}

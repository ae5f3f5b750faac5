import { CompareIcon, CopyIcon, ExcludeIcon, FilterIcon, GroupIcon } from '../../ui/icons.ts';
import { useEffect, useRef } from 'react';
import { copyText } from '../../ui/copy.ts';
import { MenuButton, MenuList, menuStyles } from '../../ui/Menu.tsx';
import styles from './ExplorePage.module.css';
import type { ChosenValue } from './value-menu.ts';

interface Props {
  readonly chosen: ChosenValue;
  /** Undefined: rows are grouped by it already. */
  readonly onGroup: (() => void) | undefined;
  readonly onFilter: (negated: boolean) => void;
  readonly onCompare: () => void;
  readonly onClose: () => void;
}

/** What a click on a value offers. One for the page: a table has hundreds of values. */
export function ValueMenu({ chosen, onGroup, onFilter, onCompare, onClose }: Props) {
  const panel = useRef<HTMLDialogElement>(null);
  const { anchor, field, text } = chosen;
  const closed = useRef(onClose);
  useEffect(() => {
    closed.current = onClose;
  });
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const toggled = (event: Event): void => {
      if ((event as ToggleEvent).newState !== 'closed') return;
      anchor.removeAttribute('aria-expanded');
      closed.current();
      if (anchor.isConnected) anchor.focus();
    };
    element.addEventListener('toggle', toggled);
    element.showPopover();
    anchor.setAttribute('aria-expanded', 'true');
    const at = anchor.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.width - 8))}px`;
    const below = at.bottom + 4;
    element.style.top = `${below + box.height > innerHeight - 8 ? Math.max(8, at.top - box.height - 4) : below}px`;
    element.querySelector('button')?.focus();
    return () => {
      anchor.removeAttribute('aria-expanded');
      element.removeEventListener('toggle', toggled);
    };
  }, [anchor]);

  const act = (run: () => void) => () => {
    panel.current?.hidePopover();
    run();
  };
  return (
    <dialog
      ref={panel}
      popover="auto"
      className={styles.menu}
      aria-label={`${field}: ${text}`}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        const rows = [...event.currentTarget.querySelectorAll('button')];
        const at = rows.findIndex((row) => row === document.activeElement);
        rows[(at + step + rows.length) % rows.length]?.focus();
        event.preventDefault();
      }}
    >
      <p className={menuStyles.title}>
        <span className={styles.menuField}>{field}</span> <code>{text}</code>
      </p>
      <MenuList label="With this value">
        <MenuButton icon={<FilterIcon size={14} />} onClick={act(() => onFilter(false))}>
          Only this
        </MenuButton>
        <MenuButton icon={<ExcludeIcon size={14} />} onClick={act(() => onFilter(true))}>
          Exclude this
        </MenuButton>
        {onGroup && (
          <MenuButton icon={<GroupIcon size={14} />} onClick={act(onGroup)}>
            Group by {field}
          </MenuButton>
        )}
        <MenuButton icon={<CompareIcon size={14} />} onClick={act(onCompare)}>
          Compare with the rest
        </MenuButton>
        <MenuButton icon={<CopyIcon size={14} />} onClick={act(() => void copyText(text, 'Value copied'))}>
          Copy value
        </MenuButton>
      </MenuList>
    </dialog>
  );
}

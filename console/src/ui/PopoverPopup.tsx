/** Base UI's popover in our clothes; `Popover` asks for it when it is about to be opened. */
import { Popover as Base } from '@base-ui/react/popover';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './popup.module.css';
import { focusAfter } from './popup-focus.ts';
import type { PopupProps } from './use-popup.ts';

export function PopoverPopup({
  anchor,
  returnTo,
  open,
  onOpenChange,
  label,
  align,
  className,
  children,
}: PopupProps & {
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly className?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner
          className={styles.positioner}
          anchor={anchor}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          <Base.Popup
            ref={popup}
            aria-label={label}
            className={cx(styles.popup, className)}
            initialFocus={() => firstOf(popup.current) ?? true}
            onKeyDown={walk}
            finalFocus={() => focusAfter(popup.current, returnTo)}
          >
            {children(() => onOpenChange(false))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const firstOf = (popup: HTMLElement | null): HTMLElement | null | undefined =>
  popup?.querySelector<HTMLElement>('[aria-current="true"]') ??
  popup?.querySelector<HTMLElement>('button, a, input, select, textarea');

/** Arrow keys go from row to row. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || (event.target instanceof Element && event.target.matches('input, select, textarea'))) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[(at + step + rows.length) % rows.length]?.focus();
  event.preventDefault();
}

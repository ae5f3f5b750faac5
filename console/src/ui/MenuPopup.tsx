/** Base UI's menu in our clothes; `Menu` asks for it when it is about to be opened. */
import { Menu as Base } from '@base-ui/react/menu';
import { useRef, type ReactNode } from 'react';
import { MenuPartsContext } from './menu-parts.ts';
import styles from './popup.module.css';
import { focusAfter } from './popup-focus.ts';
import type { PopupProps } from './use-popup.ts';

export function MenuPopup({
  anchor,
  returnTo,
  open,
  onOpenChange,
  label,
  align,
  children,
}: PopupProps & {
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={(isOpen) => isOpen && firstOf(popup.current)?.focus()}
      modal={false}
    >
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
            className={styles.popup}
            finalFocus={() => focusAfter(popup.current, returnTo)}
          >
            <MenuPartsContext value={Base}>{children}</MenuPartsContext>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const firstOf = (popup: HTMLElement | null): HTMLElement | null | undefined =>
  popup?.querySelector<HTMLElement>('[aria-current="true"]') ??
  popup?.querySelector<HTMLElement>('[role="menuitem"]:not([data-disabled])');

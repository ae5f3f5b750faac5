import type { ReactNode } from 'react';
import { lazily } from './lazily.tsx';
import { useFocused } from './popup-focus.ts';

const Popup = lazily(async () => (await import('./MenuPopup.tsx')).MenuPopup);

/** A `Menu` at an element that is there already, for one menu of many things; it is drawn for as long as it is open. */
export function MenuAt({
  anchor,
  label,
  onClose,
  children,
}: {
  readonly anchor: Element;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const returnTo = useFocused();
  const close = (open: boolean): void => {
    if (!open) onClose();
  };
  return (
    <Popup anchor={anchor} returnTo={returnTo} open onOpenChange={close} label={label} align="start">
      {children}
    </Popup>
  );
}

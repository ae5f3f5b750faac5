import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { ComboboxOption, ComboboxSource } from './combobox-option.ts';
import { lazily } from './lazily.tsx';
import { keepTyped } from './typing.ts';
import { useFocused } from './popup-focus.ts';
import { type TriggerProps, usePopup } from './use-popup.ts';

const Popup = lazily(async () => (await import('./ComboboxPopup.tsx')).ComboboxPopup);

/** A button that opens a list to choose from by typing. */
export function Combobox<T extends ComboboxOption>({
  renderTrigger,
  align = 'start',
  onChoose,
  ...source
}: ComboboxSource<T> & {
  readonly renderTrigger: (props: TriggerProps) => ReactNode;
  readonly align?: 'start' | 'end';
  readonly onChoose: (option: T) => void;
}) {
  const { trigger, popup, isUsed } = usePopup('dialog', Popup.preload);
  return (
    <>
      {renderTrigger(trigger)}
      {isUsed && <Popup {...popup} {...source} align={align} onChoose={(option) => onChoose(option as T)} />}
    </>
  );
}

/** The same at an element that is there already, opened by a key; it is drawn for as long as it is open. */
export function ComboboxAt<T extends ComboboxOption>({
  anchor,
  onClose,
  onChoose,
  ...source
}: ComboboxSource<T> & {
  readonly anchor: Element;
  readonly onClose: () => void;
  readonly onChoose: (option: T) => void;
}) {
  const returnTo = useFocused();
  // The first time its code is still on its way, and what is typed meanwhile is for it.
  const closed = useEffectEvent(onClose);
  useEffect(() => {
    const code = Popup.missing();
    if (code) keepTyped(closed, code);
  }, []);
  return (
    <Popup
      {...source}
      anchor={anchor}
      returnTo={returnTo}
      open
      align="start"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      onChoose={(option) => onChoose(option as T)}
    />
  );
}

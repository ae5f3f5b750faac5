/** A list to type into, in our popover; `Combobox` asks for it when it is about to be opened. */
import { useState } from 'react';
import * as m from '../messages/ui.ts';
import type { ComboboxOption, ComboboxSource } from './combobox-option.ts';
import styles from './Combobox.module.css';
import { cx } from './cx.ts';
import { OptionList } from './OptionList.tsx';
import popup from './popup.module.css';
import { PopoverPopup } from './PopoverPopup.tsx';
import { stopKeeping } from './typing.ts';
import type { PopupProps } from './use-popup.ts';

interface Props extends ComboboxSource<ComboboxOption> {
  readonly onChoose: (option: ComboboxOption) => void;
}

export function ComboboxPopup({
  anchor,
  returnTo,
  open,
  onOpenChange,
  align,
  onChoose,
  ...source
}: PopupProps & Props & { readonly align: 'start' | 'end' }) {
  return (
    <PopoverPopup
      anchor={anchor}
      returnTo={returnTo}
      open={open}
      onOpenChange={onOpenChange}
      align={align}
      label={source.label}
      className={cx(popup.bare, styles.popup)}
    >
      {(close) => (
        <Options
          {...source}
          onChoose={(option) =>
            // Base UI gives the focus to the input after the press. It goes back first, so that what is done finds it
            // where it was.
            queueMicrotask(() => {
              returnTo?.focus();
              close();
              onChoose(option);
            })
          }
        />
      )}
    </PopoverPopup>
  );
}

function Options({ label, placeholder, optionsOf, note, empty = m.nothingFound, onChoose }: Props) {
  const [typed, setTyped] = useState('');
  /** What was typed before the input was there. */
  const take = (): void => {
    const { text, isSent } = stopKeeping();
    const [first] = isSent ? optionsOf(text) : [];
    if (first) onChoose(first);
    else if (text) setTyped(text);
  };
  return (
    <OptionList
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      typed={typed}
      options={optionsOf(typed)}
      empty={empty}
      note={note}
      onType={setTyped}
      onChoose={onChoose}
      onFocus={take}
    />
  );
}

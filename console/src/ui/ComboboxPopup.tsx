/** Base UI's list to type into, in our popover; `Combobox` asks for it when it is about to be opened. */
import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import { DoneIcon } from './icons.ts';
import { useState } from 'react';
import * as m from '../messages/ui.ts';
import type { ComboboxOption, ComboboxSource } from './combobox-option.ts';
import styles from './Combobox.module.css';
import { PopoverPopup } from './PopoverPopup.tsx';
import { stopKeeping } from './typing.ts';
import type { PopupProps } from './use-popup.ts';

const textOf = (option: ComboboxOption): string => option.label;

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
      className={styles.popup}
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
  const options = optionsOf(typed);
  /** What was typed before the input was there. */
  const take = (): void => {
    const { text, isSent } = stopKeeping();
    const [first] = isSent ? optionsOf(text) : [];
    if (first) onChoose(first);
    else if (text) setTyped(text);
  };
  return (
    <Base.Root<ComboboxOption>
      open
      inline
      mode="none"
      autoHighlight="always"
      items={options}
      value={typed}
      onValueChange={(text, { reason }) => {
        if (reason !== 'item-press') setTyped(text);
      }}
      itemToStringValue={textOf}
    >
      <Base.Input
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onFocus={take}
      />
      <Base.Empty className={styles.note}>{empty}</Base.Empty>
      <Base.List className={styles.options} aria-label={label}>
        {(option: ComboboxOption) => (
          <Base.Item key={option.id} value={option} className={styles.option} onClick={() => onChoose(option)}>
            {option.icon}
            <span className={styles.label}>{option.label}</span>
            {option.detail && <span className={styles.detail}>{option.detail}</span>}
            {option.current && (
              <span className={styles.current}>
                <DoneIcon size={14} aria-hidden="true" />
                <span className="visually-hidden">{m.current}</span>
              </span>
            )}
          </Base.Item>
        )}
      </Base.List>
      {note && <p className={styles.note}>{note}</p>}
    </Base.Root>
  );
}

/** A field and the list that it narrows, on Base UI; `Combobox` has it in a popup, the palette in a dialog. */
import { Autocomplete as Base } from '@base-ui/react/autocomplete';
import type { ComponentProps, ReactNode } from 'react';
import * as m from '../messages/ui.ts';
import type { ComboboxOption } from './combobox-option.ts';
import { cx } from './cx.ts';
import { DoneIcon, EnterIcon, SearchIcon } from './icons.ts';
import styles from './OptionList.module.css';
import list from './options.module.css';

const textOf = (option: ComboboxOption): string => option.label;

/** `large` is for a list that is all there is, with what Enter does. */
export function OptionList<T extends ComboboxOption>({
  label,
  typed,
  options,
  empty,
  note,
  large = false,
  onType,
  onChoose,
  ...input
}: {
  readonly label: string;
  readonly typed: string;
  readonly options: readonly T[];
  readonly empty: ReactNode;
  /** Below the options. */
  readonly note?: ReactNode;
  readonly large?: boolean;
  readonly onType: (text: string) => void;
  readonly onChoose: (option: T) => void;
} & Pick<ComponentProps<'input'>, 'ref' | 'placeholder' | 'onFocus' | 'onPaste'>) {
  return (
    <Base.Root<T>
      open
      inline
      mode="none"
      autoHighlight="always"
      items={options}
      value={typed}
      onValueChange={(text, { reason }) => {
        if (reason !== 'item-press') onType(text);
      }}
      itemToStringValue={textOf}
    >
      <div className={cx(styles.field, large && styles.large)}>
        {large && <SearchIcon size={16} aria-hidden="true" />}
        <Base.Input
          {...input}
          className={styles.input}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={large ? undefined : 200}
        />
      </div>
      <Base.List className={cx(list.options, large && list.large)} aria-label={label}>
        {(option: T) => (
          <Base.Item key={option.id} value={option} className={list.option} onClick={() => onChoose(option)}>
            {option.icon}
            <span
              className={cx(styles.label, large && styles.grow)}
              translate={option.data?.includes('label') ? 'no' : undefined}
            >
              {option.label}
            </span>
            {option.detail && (
              <span className={list.detail} translate={option.data?.includes('detail') ? 'no' : undefined}>
                {option.detail}
              </span>
            )}
            {option.end}
            {option.current && (
              <span className={styles.current}>
                <DoneIcon size={14} aria-hidden="true" />
                <span className="visually-hidden">{m.current}</span>
              </span>
            )}
            {large && <EnterIcon size={14} className={styles.enter} aria-hidden="true" />}
          </Base.Item>
        )}
      </Base.List>
      <Base.Empty className={list.note}>{empty}</Base.Empty>
      {note && <p className={list.note}>{note}</p>}
    </Base.Root>
  );
}

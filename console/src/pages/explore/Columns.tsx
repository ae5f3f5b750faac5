import { useId, useRef } from 'react';
import type { Attribute } from '../../features/explore/choices.ts';
import * as m from '../../messages/explore.ts';
import { Chip, Chips } from '../../ui/Chip.tsx';
import styles from './Question.module.css';

interface Props {
  /** `Group by` or `Columns`. */
  readonly label: string;
  /** `Add attribute`. */
  readonly addLabel: string;
  readonly chosen: readonly string[];
  readonly attributes: readonly Attribute[];
  /** Offered before all others. */
  readonly first: readonly string[];
  readonly most: number;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Attributes as chips, and a box that completes a further one. */
export function Columns({ label, addLabel, chosen, attributes, first, most, onChange }: Props) {
  const list = useId();
  const box = useRef<HTMLInputElement>(null);
  const names = [...new Set([...first, ...attributes.map(({ name }) => name)])].filter(
    (name) => !chosen.includes(name),
  );
  const add = (name: string): void => {
    const trimmed = name.trim();
    if (box.current) box.current.value = '';
    if (trimmed && !chosen.includes(trimmed)) onChange([...chosen, trimmed]);
  };
  return (
    <fieldset className={styles.part}>
      <legend>{label}</legend>
      {chosen.length > 0 && (
        <Chips label={label}>
          {chosen.map((name) => (
            <Chip
              key={name}
              removes
              aria-label={m.remove({ name })}
              onClick={() => onChange(chosen.filter((each) => each !== name))}
            >
              <code>{name}</code>
            </Chip>
          ))}
        </Chips>
      )}
      {chosen.length < most && (
        <>
          <input
            ref={box}
            className={styles.add}
            list={list}
            aria-label={addLabel}
            placeholder={addLabel}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onKeyDown={(event) => event.key === 'Enter' && add(event.currentTarget.value)}
            onChange={(event) => {
              const { inputType } = event.nativeEvent as InputEvent;
              // One of the list was chosen, not written: nothing more follows.
              const isChosen = inputType === undefined || inputType === 'insertReplacementText';
              if (isChosen && names.includes(event.target.value)) add(event.target.value);
            }}
          />
          <datalist id={list} translate="no">
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </fieldset>
  );
}

import { RemoveIcon } from '../../ui/icons.ts';
import { useId, useRef } from 'react';
import type { Attribute } from '../../features/explore/choices.ts';
import styles from './Question.module.css';

interface Props {
  /** `Group by` or `Columns`. */
  readonly label: string;
  /** Of one entry: `attribute to group by`. */
  readonly noun: string;
  readonly chosen: readonly string[];
  readonly attributes: readonly Attribute[];
  /** Offered before all others. */
  readonly first: readonly string[];
  readonly most: number;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Attributes as chips, and a box that completes a further one. */
export function Columns({ label, noun, chosen, attributes, first, most, onChange }: Props) {
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
        <ul className={styles.entries}>
          {chosen.map((name) => (
            <li key={name}>
              <button
                type="button"
                className={styles.chip}
                aria-label={`Remove ${name}`}
                onClick={() => onChange(chosen.filter((each) => each !== name))}
              >
                <code>{name}</code>
                <RemoveIcon size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {chosen.length < most && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add(box.current?.value ?? '');
          }}
        >
          <input
            ref={box}
            className={styles.add}
            list={list}
            aria-label={`Add ${noun}`}
            placeholder={`Add ${noun}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => {
              const { inputType } = event.nativeEvent as InputEvent;
              // One of the list was chosen, not written: there is nothing more to say.
              const isChosen = inputType === undefined || inputType === 'insertReplacementText';
              if (isChosen && names.includes(event.target.value)) add(event.target.value);
            }}
          />
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </form>
      )}
    </fieldset>
  );
}

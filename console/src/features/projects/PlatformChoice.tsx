import type { ComponentProps } from 'react';
import * as m from '../../messages/platforms.ts';
import { ChoiceGroup } from '../../ui/Choice.tsx';
import { platforms } from './platforms.ts';
import styles from './PlatformChoice.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'checked' | 'className'> {
  /** Left out where a form keeps it. */
  readonly value?: string;
  readonly error?: string | undefined;
}

/** One of the known frameworks, as radio buttons that look like tiles. What else it gets is for each of them. */
export function PlatformChoice({ value, ...rest }: Props) {
  // There is always one.
  const { error: _, ...input } = rest;
  return (
    <ChoiceGroup label={m.label}>
      <div className={styles.tiles}>
        {platforms.map(({ id, name }) => (
          <label key={id} className={styles.tile}>
            <input
              {...input}
              type="radio"
              value={id}
              {...(value !== undefined && { checked: id === value })}
              className="visually-hidden"
            />
            {name}
          </label>
        ))}
      </div>
    </ChoiceGroup>
  );
}

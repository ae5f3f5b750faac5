import { Button } from './Button.tsx';
import styles from './Segments.module.css';

/** One of a few views of the same thing, side by side. `label` names the choice. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {options.map(([each, name]) => (
        <Button key={each} size="small" variant="ghost" aria-pressed={each === value} onClick={() => onChange(each)}>
          {name}
        </Button>
      ))}
    </fieldset>
  );
}

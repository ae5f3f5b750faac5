import { cx } from '../../ui/cx.ts';
import { platforms } from './platforms.ts';
import styles from './PlatformChoice.module.css';

/** One of the known frameworks, as radio buttons that look like tiles. */
export function PlatformChoice({
  value,
  onChange,
  label = 'Framework',
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly label?: string;
}) {
  return (
    <fieldset>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.tiles}>
        {platforms.map((platform) => (
          <label key={platform.id} className={cx(styles.tile, platform.id === value && styles.chosen)}>
            <input
              type="radio"
              name="platform"
              value={platform.id}
              checked={platform.id === value}
              onChange={() => onChange(platform.id)}
              className="visually-hidden"
            />
            {platform.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

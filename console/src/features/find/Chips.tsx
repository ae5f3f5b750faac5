import { RemoveIcon } from '../../ui/icons.ts';
import { rangeLabel } from '../filters/filters.ts';
import styles from './Chips.module.css';
import type { FindScope, Understood } from './queries.ts';
import { withUnit } from '../../ui/numbers.ts';
import { localMinute } from '../../ui/relative-time.ts';

/** What was understood of the text, and where is looked; each part can be taken away. */
export function Chips({
  understood,
  scope,
  onRemove,
  onScope,
}: {
  readonly understood: readonly Understood[];
  readonly scope: FindScope;
  readonly onRemove: (part: Understood) => void;
  readonly onScope: (scope: FindScope) => void;
}) {
  const timed = scope.range !== undefined || scope.start !== undefined;
  if (understood.length === 0 && !timed && !scope.project) return null;
  return (
    <ul className={styles.chips} aria-label="Understood">
      {understood.map((part) => (
        <Chip key={`${part.kind}-${part.start}`} name={part.kind} value={part.value} onRemove={() => onRemove(part)} />
      ))}
      {timed && (
        <Chip
          name="when"
          value={whenLabel(scope)}
          onRemove={() => onScope({ ...scope, range: undefined, start: undefined, end: undefined })}
        />
      )}
      {scope.project && (
        <Chip name="project" value={scope.project} onRemove={() => onScope({ ...scope, project: undefined })} />
      )}
    </ul>
  );
}

function whenLabel(scope: FindScope): string {
  const { start, end } = scope;
  if (!start || !end) return rangeLabel(scope);
  const middle = (Date.parse(start) + Date.parse(end)) / 2;
  const isAnHourAround = Date.parse(end) - Date.parse(start) === 7_200_000;
  return isAnHourAround ? `${localMinute(middle)} ± ${withUnit(1, 'h')}` : rangeLabel(scope);
}

function Chip({
  name,
  value,
  onRemove,
}: {
  readonly name: string;
  readonly value: string;
  readonly onRemove: () => void;
}) {
  return (
    <li>
      <button type="button" className={styles.chip} aria-label={`Remove ${name} ${value}`} onClick={onRemove}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>{value}</span>
        <RemoveIcon size={12} />
      </button>
    </li>
  );
}

import * as m from '../../messages/notifications.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField, Toggle } from '../../ui/Field.tsx';
import type { QuietHours } from '../channels/queries.ts';
import styles from './QuietHoursFields.module.css';

/** From Monday on, with the numbers that the API counts from Sunday. */
const days = [
  [1, m.weekdays.monday],
  [2, m.weekdays.tuesday],
  [3, m.weekdays.wednesday],
  [4, m.weekdays.thursday],
  [5, m.weekdays.friday],
  [6, m.weekdays.saturday],
  [0, m.weekdays.sunday],
] as const;

export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const usual = (timeZone: string): QuietHours => ({
  timeZone,
  from: '22:00',
  until: '07:00',
  days: [0, 1, 2, 3, 4, 5, 6],
  criticalPasses: true,
});

/** Whether there are quiet hours, and when. Notifications in them are held back and sent as one when they end. */
export function QuietHoursFields({
  value,
  timeZone,
  onChange,
}: {
  readonly value: QuietHours | null;
  /** Of hours that are new. */
  readonly timeZone: string;
  readonly onChange: (value: QuietHours | null) => void;
}) {
  return (
    <div className={styles.hours}>
      <Toggle
        label={m.quietHours}
        hint={m.quietHint}
        checked={value !== null}
        onChange={(event) => onChange(event.target.checked ? usual(timeZone) : null)}
      />
      {value && (
        <>
          <div className={styles.times}>
            <TextField
              label={m.from}
              type="time"
              required
              value={value.from}
              onChange={(event) => event.target.value && onChange({ ...value, from: event.target.value })}
            />
            <TextField
              label={m.until}
              type="time"
              required
              value={value.until}
              onChange={(event) => event.target.value && onChange({ ...value, until: event.target.value })}
            />
            <TextField
              label={m.timeZone}
              value={value.timeZone}
              placeholder={m.zoneExample}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => onChange({ ...value, timeZone: event.target.value })}
            />
          </div>
          <fieldset className={styles.days}>
            <legend>{m.days}</legend>
            {days.map(([day, name]) => (
              <Button
                key={day}
                size="small"
                aria-pressed={value.days.includes(day)}
                onClick={() => onChange({ ...value, days: toggled(value.days, day) })}
              >
                {name}
              </Button>
            ))}
          </fieldset>
          <Toggle
            label={m.criticalPasses}
            checked={value.criticalPasses}
            onChange={(event) => onChange({ ...value, criticalPasses: event.target.checked })}
          />
        </>
      )}
    </div>
  );
}

const toggled = (days: readonly number[], day: number): number[] =>
  days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort((a, b) => a - b);

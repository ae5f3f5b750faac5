import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { MenuButton, MenuList } from '../../ui/MenuList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { ranges, type Filters } from '../filters/filters.ts';
import styles from './NarrowByTime.module.css';
import { around } from './places.ts';
import type { FindScope } from './queries.ts';

const offered = ranges.slice(0, 3);

/** A digest is shared by many visits: the reporter knows when theirs was. */
export function NarrowByTime({
  scope,
  onChange,
}: {
  readonly scope: FindScope;
  readonly onChange: (scope: FindScope) => void;
}) {
  const [instant, setInstant] = useState('');
  const at = new Date(instant);
  return (
    <Popover
      label="Narrow by time"
      className={styles.panel}
      renderTrigger={(props) => (
        <button type="button" className={styles.trigger} {...props}>
          Narrow by time
        </button>
      )}
    >
      {(close) => {
        const choose = (chosen: Pick<Filters, 'range' | 'start' | 'end'>): void => {
          close();
          onChange(chosen);
        };
        return (
          <>
            <MenuList label="Recent">
              {offered.map(({ value, label }) => (
                <MenuButton key={value} current={scope.range === value} onClick={() => choose({ range: value })}>
                  {label}
                </MenuButton>
              ))}
              {(scope.range || scope.start) && <MenuButton onClick={() => choose({})}>All times</MenuButton>}
            </MenuList>
            <form
              className={styles.around}
              onSubmit={(event) => {
                event.preventDefault();
                if (Number.isFinite(at.getTime())) choose(around(at));
              }}
            >
              <label>
                <span>When it was seen, an hour more or less</span>
                <input
                  type="datetime-local"
                  value={instant}
                  required
                  max="9999-12-31T23:59"
                  onChange={(event) => setInstant(event.target.value)}
                />
              </label>
              <Button type="submit" size="small">
                Show
              </Button>
            </form>
          </>
        );
      }}
    </Popover>
  );
}

import * as m from '../../messages/find.ts';
import { lazily } from '../../ui/lazily.tsx';
import { MenuButton, MenuList, menuStyles } from '../../ui/MenuList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import type { Filters } from '../filters/filters.ts';
import { ranges } from '../filters/range-words.ts';
import styles from './NarrowByTime.module.css';
import type { FindScope } from './queries.ts';

const SeenAt = lazily(async () => (await import('./SeenAt.tsx')).SeenAt);

const offered = ranges.slice(0, 3);

/** Many visits share a digest: the reporter knows when theirs was. */
export function NarrowByTime({
  scope,
  onChange,
}: {
  readonly scope: FindScope;
  readonly onChange: (scope: FindScope) => void;
}) {
  return (
    <Popover
      label={m.narrow}
      renderTrigger={(props) => (
        <button type="button" className={styles.trigger} {...props}>
          {m.narrow}
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
            <MenuList label={m.recent}>
              {offered.map(({ value, label }) => (
                <MenuButton key={value} current={scope.range === value} onClick={() => choose({ range: value })}>
                  {label}
                </MenuButton>
              ))}
              {(scope.range || scope.start) && <MenuButton onClick={() => choose({})}>{m.allTimes}</MenuButton>}
            </MenuList>
            <div className={menuStyles.rule} />
            <SeenAt onChoose={choose} />
          </>
        );
      }}
    </Popover>
  );
}

import { CompareIcon, CopyIcon, ExcludeIcon, FilterIcon, GroupIcon } from '../../ui/icons.ts';
import type { ExploreEvent } from '../../features/explore/reduce.ts';
import * as m from '../../messages/explore.ts';
import { copyText } from '../../ui/copy.ts';
import { MenuGroup, MenuItem } from '../../ui/Menu.tsx';
import { MenuAt } from '../../ui/MenuAt.tsx';
import type { ChosenValue } from './value-menu.ts';

interface Props {
  readonly chosen: ChosenValue;
  /** Rows are grouped by it already. */
  readonly isGrouped: boolean;
  readonly happen: (event: ExploreEvent) => void;
  readonly onClose: () => void;
}

/** What a click on a value offers. One for the page: a table has hundreds of values. */
export function ValueMenu({ chosen, isGrouped, happen, onClose }: Props) {
  const { anchor, field, value, text } = chosen;
  const filter = (negated: boolean): void => happen({ type: 'value-filtered', field, value, negated });
  return (
    <MenuAt anchor={anchor} label={`${field}: ${text}`} onClose={onClose}>
      <MenuGroup
        title={
          <>
            <code>{field}</code> <code>{text}</code>
          </>
        }
      >
        <MenuItem icon={<FilterIcon size={14} />} onSelect={() => filter(false)}>
          {m.onlyThis}
        </MenuItem>
        <MenuItem icon={<ExcludeIcon size={14} />} onSelect={() => filter(true)}>
          {m.exclude}
        </MenuItem>
        {!isGrouped && (
          <MenuItem icon={<GroupIcon size={14} />} onSelect={() => happen({ type: 'value-grouped', field })}>
            {m.groupByField({ field })}
          </MenuItem>
        )}
        <MenuItem icon={<CompareIcon size={14} />} onSelect={() => happen({ type: 'value-compared', field, value })}>
          {m.compareValue}
        </MenuItem>
        <MenuItem icon={<CopyIcon size={14} />} onSelect={() => void copyText(text, m.valueCopied)}>
          {m.copyValue}
        </MenuItem>
      </MenuGroup>
    </MenuAt>
  );
}

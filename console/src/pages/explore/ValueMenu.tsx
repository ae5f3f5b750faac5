import { CompareIcon, CopyIcon, ExcludeIcon, FilterIcon, GroupIcon } from '../../ui/icons.ts';
import { copyText } from '../../ui/copy.ts';
import { MenuGroup, MenuItem } from '../../ui/Menu.tsx';
import { MenuAt } from '../../ui/MenuAt.tsx';
import styles from './ExplorePage.module.css';
import type { ChosenValue } from './value-menu.ts';

interface Props {
  readonly chosen: ChosenValue;
  /** Undefined: rows are grouped by it already. */
  readonly onGroup: (() => void) | undefined;
  readonly onFilter: (negated: boolean) => void;
  readonly onCompare: () => void;
  readonly onClose: () => void;
}

/** What a click on a value offers. One for the page: a table has hundreds of values. */
export function ValueMenu({ chosen, onGroup, onFilter, onCompare, onClose }: Props) {
  const { anchor, field, text } = chosen;
  return (
    <MenuAt anchor={anchor} label={`${field}: ${text}`} onClose={onClose}>
      <MenuGroup
        title={
          <>
            <span className={styles.menuField}>{field}</span> <code>{text}</code>
          </>
        }
      >
        <MenuItem icon={<FilterIcon size={14} />} onSelect={() => onFilter(false)}>
          Only this
        </MenuItem>
        <MenuItem icon={<ExcludeIcon size={14} />} onSelect={() => onFilter(true)}>
          Exclude this
        </MenuItem>
        {onGroup && (
          <MenuItem icon={<GroupIcon size={14} />} onSelect={onGroup}>
            Group by {field}
          </MenuItem>
        )}
        <MenuItem icon={<CompareIcon size={14} />} onSelect={onCompare}>
          Compare with the rest
        </MenuItem>
        <MenuItem icon={<CopyIcon size={14} />} onSelect={() => void copyText(text, 'Value copied')}>
          Copy value
        </MenuItem>
      </MenuGroup>
    </MenuAt>
  );
}

import { MenuIcon, MergeIcon } from '../../ui/icons.ts';
import { useCommand } from '../commands/commands.ts';
import { withKey } from '../commands/shortcuts.ts';
import type { Issue } from '../issues/queries.ts';
import * as m from '../../messages/merging.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuGroup, MenuItem } from '../../ui/Menu.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './MergeMenu.module.css';
import { mergeRefusal, mergeTarget } from './merging.ts';
import { useGroupingActions } from './use-grouping-actions.ts';

/** Merges the selected issues into the one with most events, or into another of them. */
export function MergeMenu({
  issues,
  onMerge,
  onMerged,
}: {
  readonly issues: readonly Issue[];
  /** As it begins. */
  readonly onMerge: (into: Issue) => void;
  /** Once the server has done it. */
  readonly onMerged: (into: { readonly shortId: string }) => void;
}) {
  const { merge } = useGroupingActions(onMerged);
  const refusal = mergeRefusal(issues);
  const target = mergeTarget(issues);
  const run = (into: Issue): void => {
    merge.mutate({ children: issues.filter(({ id }) => id !== into.id), into });
    onMerge(into);
  };
  useCommand('list.merge', () => {
    if (refusal) toast(refusal);
    else if (target) run(target);
  });
  if (!target) return null;
  return (
    <span className={styles.merge}>
      <Button
        size="small"
        icon={<MergeIcon size={14} />}
        disabled={refusal !== undefined}
        tip={withKey(refusal ?? m.mostEvents({ issue: target.shortId }), 'list.merge')}
        onClick={() => run(target)}
      >
        {refusal ? m.merge : m.mergeInto({ issue: target.shortId })}
      </Button>
      {!refusal && (
        <Menu
          label={m.mergeIntoMenu}
          renderTrigger={(props) => (
            <Button {...props} size="small" icon={<MenuIcon size={14} />} aria-label={m.mergeIntoOther} />
          )}
        >
          <MenuGroup title={m.whichStays}>
            {issues.map((issue) => (
              <MenuItem
                key={issue.id}
                current={issue.id === target.id}
                end={m.events({ count: Number(issue.lifetime.count) })}
                onSelect={() => run(issue)}
              >
                <span className={styles.name} translate="no">
                  {issue.shortId} {issue.title}
                </span>
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
      )}
    </span>
  );
}

import { UnassignedIcon } from '../../ui/icons.ts';
import { cx } from '../../ui/cx.ts';
import { assigneeName, type Assignee } from './actions.ts';
import styles from './Avatar.module.css';
import { initials } from './initials.ts';

/** Who has it, small: round for people, square for teams, an outline for nobody. Its name stands beside it or in its tip. */
export function Avatar({ who }: { readonly who: Pick<Assignee, 'type' | 'name' | 'email'> | null }) {
  return (
    <span className={cx(styles.avatar, who?.type === 'team' && styles.team, !who && styles.nobody)} aria-hidden="true">
      {who ? initials(who.name || who.email || '') : <UnassignedIcon size={13} />}
    </span>
  );
}

export const assignedTip = (who: Assignee | null): string => (who ? `Assigned to ${assigneeName(who)}` : 'Unassigned');

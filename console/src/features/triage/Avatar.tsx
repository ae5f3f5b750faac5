import { UnassignedIcon } from '../../ui/icons.ts';
import { cx } from '../../ui/cx.ts';
import type { Assignee } from './actions.ts';
import styles from './Avatar.module.css';
import { initials } from './initials.ts';

/** The assignee, small: round for people, square for teams, an outline for no one. The name is next to it or in its tip. */
export function Avatar({ who }: { readonly who: Pick<Assignee, 'type' | 'name' | 'email'> | null }) {
  return (
    <span
      className={cx(styles.avatar, who?.type === 'team' && styles.team, !who && styles.unassigned)}
      aria-hidden="true"
      translate="no"
    >
      {who ? initials(who.name || who.email || '') : <UnassignedIcon size={13} />}
    </span>
  );
}

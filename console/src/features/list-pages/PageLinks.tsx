import { Link } from '@tanstack/react-router';
import { NextIcon, PreviousIcon } from '../../ui/icons.ts';
import type { PageCursors } from '../../api/link-header.ts';
import * as m from '../../messages/list-pages.ts';
import { buttonClass } from '../../ui/Button.tsx';
import styles from './PageLinks.module.css';

/** Links between the pages of a list, whose cursor is in the address; nothing if there is only one. */
export function PageLinks({
  list,
  cursors,
  cursor,
}: {
  readonly list:
    | '/issues'
    | '/issues/$issue'
    | '/releases'
    | '/traces'
    | '/performance'
    | '/performance/queries'
    | '/explore'
    | '/feedback'
    | '/settings/audit-log';
  /** Undefined while the list is loading. */
  readonly cursors: PageCursors | undefined;
  /** Of the page that is shown; undefined on the first. */
  readonly cursor: string | undefined;
}) {
  if (!cursors?.next && !cursor) return null;
  const to = (place: string | undefined) => ({
    from: list,
    to: '.' as const,
    search: (before: object) => ({ ...before, cursor: place }),
    disabled: !place,
    className: buttonClass('normal', 'small'),
  });
  return (
    <nav className={styles.pages} aria-label={m.pages}>
      <Link {...to(cursors?.previous)} rel="prev">
        <PreviousIcon size={14} /> {m.previous}
      </Link>
      <Link {...to(cursors?.next)} rel="next">
        {m.next} <NextIcon size={14} />
      </Link>
    </nav>
  );
}

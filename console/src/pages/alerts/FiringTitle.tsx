import { Link } from '@tanstack/react-router';
import type { AlertFiring, AlertPreview } from '../../features/alerts/queries.ts';
import { rowLinkClass } from '../../ui/row-link.ts';

/** What fired: the issue, which the row leads to, or the reason where it was no issue. */
export function FiringTitle({
  firing: { issue, why },
}: {
  readonly firing: Pick<AlertFiring | AlertPreview['firings'][number], 'issue' | 'why'>;
}) {
  if (!issue) return <span translate="no">{why}</span>;
  return (
    <span translate="no">
      <Link className={rowLinkClass} to="/issues/$issue" params={{ issue: issue.shortId }}>
        {issue.shortId}
      </Link>{' '}
      {issue.title}
    </span>
  );
}

import { Link } from '@tanstack/react-router';
import type { AlertFiring, AlertPreview } from '../../features/alerts/queries.ts';
import { aboutCount } from '../../features/issues/EventCount.tsx';
import { Text } from '../../ui/Text.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';

/** What fired: the issue, which the row leads to, or the reason where it was no issue. */
export function FiringTitle({
  firing: { issue, why, value, estimated },
}: {
  readonly firing: Pick<AlertFiring | AlertPreview['firings'][number], 'issue' | 'why' | 'value' | 'estimated'>;
}) {
  if (!issue) {
    const about = value === null ? undefined : aboutCount({ count: value, estimated });
    return (
      <>
        <span translate="no">{why}</span>
        {about !== undefined && (
          <>
            {' '}
            <Text tone="faint" small>
              {about}
            </Text>
          </>
        )}
      </>
    );
  }
  return (
    <span translate="no">
      <Link className={rowLinkClass} to="/issues/$issue" params={{ issue: issue.shortId }}>
        {issue.shortId}
      </Link>{' '}
      {issue.title}
    </span>
  );
}

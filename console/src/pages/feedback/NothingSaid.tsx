import { Link } from '@tanstack/react-router';
import { FeedbackIcon, NotFoundIcon } from '../../ui/icons.ts';
import type { FeedbackSearch } from '../../features/feedback/queries.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/State.tsx';

/** Why the list is empty: nothing matches, all is worked off, or nobody was asked yet. */
export function NothingSaid({ search }: { readonly search: FeedbackSearch }) {
  const { q, project, environment, range, start, status } = search;
  if (q || project || environment || range || start)
    return (
      <EmptyState title="No feedback matches" icon={<NotFoundIcon size={24} />}>
        <Link
          to="/feedback"
          search={chosen({ status }, { project: undefined, environment: undefined, ...lasting() })}
          className={buttonClass()}
        >
          Show all
        </Link>
      </EmptyState>
    );
  if (status === 'resolved' || status === 'spam')
    return (
      <EmptyState title={status === 'spam' ? 'No spam' : 'Nothing is resolved yet'} icon={<FeedbackIcon size={24} />} />
    );
  return (
    <EmptyState title="No open feedback" icon={<FeedbackIcon size={24} />}>
      <p>
        Visitors write it in the feedback widget (<code>Sentry.feedbackIntegration()</code>), in the dialog after a
        crash (<code>Sentry.showReportDialog()</code>), or your code sends it with <code>Sentry.captureFeedback()</code>
        .
      </p>
    </EmptyState>
  );
}

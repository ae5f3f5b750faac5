import { Link } from '@tanstack/react-router';
import type { FeedbackSearch } from '../../features/feedback/queries.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import * as m from '../../messages/feedback-page.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { FeedbackIcon, NotFoundIcon } from '../../ui/icons.ts';
import { EmptyState } from '../../ui/State.tsx';

/** Why the list is empty: nothing matches, all is worked off, or no one has written yet. */
export function NoFeedback({ search }: { readonly search: FeedbackSearch }) {
  const { q, project, environment, range, start, status } = search;
  if (q || project || environment || range || start)
    return (
      <EmptyState title={m.noMatch} icon={<NotFoundIcon size={24} />}>
        <Link
          to="/feedback"
          search={chosen({ status }, { project: undefined, environment: undefined, ...lasting() })}
          className={buttonClass()}
        >
          {m.showAll}
        </Link>
      </EmptyState>
    );
  const icon = <FeedbackIcon size={24} />;
  if (status === 'spam') return <EmptyState title={m.noSpam} icon={icon} />;
  if (status === 'resolved') return <EmptyState title={m.noResolved} icon={icon} />;
  return (
    <EmptyState title={m.noOpen} icon={icon}>
      <p>{m.noOpenHint}</p>
    </EmptyState>
  );
}

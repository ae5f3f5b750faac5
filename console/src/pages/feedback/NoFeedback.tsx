import type { FeedbackSearch } from '../../features/feedback/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import * as empty from './empty.ts';

/** Why the list is empty: nothing matches, all is worked off, or no one has written yet. */
export function NoFeedback({ search }: { readonly search: FeedbackSearch }) {
  const { q, project, environment, range, start, status } = search;
  if (q || project || environment || range || start) return <Empty of={empty.noMatch} />;
  if (status === 'spam') return <Empty of={empty.noSpam} />;
  return <Empty of={status === 'resolved' ? empty.noResolved : empty.noOpen} />;
}

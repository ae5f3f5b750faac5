import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Activity } from './Activity.tsx';
import { Highlights } from './Highlights.tsx';
import { SuspectCommits } from './SuspectCommits.tsx';
import { TagSpread } from './TagSpread.tsx';

const FeedbackOfIssue = lazily(
  async () => (await import('../../features/feedback/FeedbackOfIssue.tsx')).FeedbackOfIssue,
);

/**
 * Beside the line that threw: the event in a few facts, by whom, what is said of it, and how the events spread. Last
 * what can be as short as the event beside it.
 */
export function Beside({
  issue,
  event,
  filter,
}: {
  readonly issue: IssueDetail;
  readonly event: Event;
  readonly filter: string;
}) {
  return (
    <>
      <Highlights event={event} filter={filter} />
      <SuspectCommits issue={issue} />
      <Activity issue={issue} />
      <FeedbackOfIssue issue={issue.id} />
      <TagSpread issue={issue} filter={filter} />
    </>
  );
}

import type { IssueDetail } from '../../features/issues/queries.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Activity } from './Activity.tsx';
import { SuspectCommits } from './SuspectCommits.tsx';
import { TagSpread } from './TagSpread.tsx';

const FeedbackOfIssue = lazily(
  async () => (await import('../../features/feedback/FeedbackOfIssue.tsx')).FeedbackOfIssue,
);

/**
 * What is asked of its own accord, beside the line that threw: by whom, what is said of it, and how the events spread. Last
 * what can be as short as the event beside it.
 */
export function Beside({ issue, filter }: { readonly issue: IssueDetail; readonly filter: string }) {
  return (
    <>
      <SuspectCommits issue={issue} />
      <Activity issue={issue} />
      <FeedbackOfIssue issue={issue.id} />
      <TagSpread issue={issue} filter={filter} />
    </>
  );
}

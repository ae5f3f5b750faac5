import { lazy, Suspense } from 'react';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Activity } from './Activity.tsx';
import { SuspectCommits } from './SuspectCommits.tsx';
import { TagSpread } from './TagSpread.tsx';

const FeedbackOfIssue = lazy(() =>
  import('../../features/feedback/FeedbackOfIssue.tsx').then((module) => ({ default: module.FeedbackOfIssue })),
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
      <Suspense>
        <FeedbackOfIssue issue={issue.id} />
      </Suspense>
      <TagSpread issue={issue} filter={filter} />
    </>
  );
}

import type { IssueDetail } from '../../features/issues/queries.ts';
import { SuspectCommits } from './SuspectCommits.tsx';
import { TagSpread } from './TagSpread.tsx';

/** What is asked of its own accord, beside the line that threw: by whom, and how the events spread. */
export function Beside({ issue, filter }: { readonly issue: IssueDetail; readonly filter: string }) {
  return (
    <>
      <SuspectCommits issue={issue} />
      <TagSpread issue={issue} filter={filter} />
    </>
  );
}

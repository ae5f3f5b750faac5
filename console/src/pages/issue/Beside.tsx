import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Highlights } from './Highlights.tsx';
import { SuspectCommits } from './SuspectCommits.tsx';
import { TagSpread } from './TagSpread.tsx';

/** For whom, by whom, and under which circumstances: beside the line that threw. */
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
      <TagSpread issue={issue} filter={filter} />
    </>
  );
}

import { ActivityStream } from '../../features/activity/ActivityStream.tsx';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Panel } from '../../ui/Panel.tsx';

/** What happened with the issue, and what people say of it, in one stream. */
export function Activity({ issue }: { readonly issue: IssueDetail }) {
  return (
    <Panel title="Activity" id="activity">
      <ActivityStream issue={issue} />
    </Panel>
  );
}

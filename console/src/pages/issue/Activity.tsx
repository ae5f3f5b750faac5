import { useState } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useNear } from '../../features/grouping/use-near.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useMay } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-side.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/State.tsx';

const space = <Skeleton rows={4} height={30} label={m.activityLoading} />;
const ActivityStream = lazily(
  async () => (await import('../../features/activity/ActivityStream.tsx')).ActivityStream,
  space,
);

/** What happened with the issue, and what people say of it, in one stream. */
export function Activity({ issue }: { readonly issue: IssueDetail }) {
  const [element, near] = useNear();
  const [writing, setWriting] = useState(false);
  const may = useMay('event:write');
  const comment = (): void => {
    setWriting(true);
    const box = element.current?.querySelector('textarea');
    if (box) box.focus();
    else element.current?.scrollIntoView({ block: 'center' });
  };
  useCommand('issue.comment', comment, may);
  return (
    <div ref={element}>
      <Panel title={m.activity} id="activity">
        {near ? <ActivityStream issue={issue} writing={writing} /> : space}
      </Panel>
    </div>
  );
}

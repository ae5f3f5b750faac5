import { lazy, Suspense, useState } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useNear } from '../../features/grouping/use-near.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Skeleton } from '../../ui/State.tsx';

const ActivityStream = lazy(() =>
  import('../../features/activity/ActivityStream.tsx').then((module) => ({ default: module.ActivityStream })),
);

/** What happened with the issue, and what people say of it, in one stream. */
export function Activity({ issue }: { readonly issue: IssueDetail }) {
  const [element, near] = useNear();
  const [writing, setWriting] = useState(false);
  useCommand('issue.comment', () => {
    setWriting(true);
    const box = element.current?.querySelector('textarea');
    if (box) box.focus();
    else element.current?.scrollIntoView({ block: 'center' });
  });
  const space = <Skeleton rows={4} height={30} label="Loading the activity" />;
  return (
    <div ref={element}>
      <Panel title="Activity" id="activity">
        {near ? (
          <Suspense fallback={space}>
            <ActivityStream issue={issue} writing={writing} />
          </Suspense>
        ) : (
          space
        )}
      </Panel>
    </div>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLive } from '../../features/live/live.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-setup.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import { Arrival } from './Arrival.tsx';

/** Waits for the first span: the live stream says that it arrived, and of which trace. Later the box leads to all of them. */
export function FirstTrace({ project }: { readonly project: Project }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [trace, setTrace] = useState<{ readonly id: string; readonly at: number }>();
  const arrived = trace !== undefined || project.firstTransactionEvent;

  useLive((message) => {
    if (message.type !== 'spans' || message.projectSlug !== project.slug) return;
    const [id] = message.traceIds;
    // The first stays; what comes after it would move the link under the pointer.
    if (id !== undefined) setTrace((before) => before ?? { id, at: Math.floor(Date.now() / 1000) });
    if (!project.firstTransactionEvent) void queries.invalidateQueries({ queryKey: ['projects', org] });
  });

  if (!arrived)
    return <Arrival label={m.firstTrace} state="waiting" title={m.waitingForTrace} detail={m.waitingForTraceHint} />;
  return (
    <Arrival
      label={m.firstTrace}
      state="ok"
      title={trace ? m.traceHere : m.tracesArriving}
      detail={project.firstSpan && m.firstTraceAt({ when: <Time at={project.firstSpan} /> })}
      action={
        trace ? (
          <Link
            to="/traces/$trace"
            params={{ trace: trace.id }}
            search={{ at: trace.at }}
            className={buttonClass('primary')}
          >
            {m.openTrace}
          </Link>
        ) : (
          <Link to="/performance" search={{ project: project.slug }} className={buttonClass()}>
            {m.openPerformance}
          </Link>
        )
      }
    />
  );
}

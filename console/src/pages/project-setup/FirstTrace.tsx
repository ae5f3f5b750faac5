import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OkIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { useLive } from '../../features/live/live.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ProjectSetupPage.module.css';

/** Waits for the first span: the live stream says that it came, and of which trace. Who comes later finds the way to all of them. */
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

  return (
    <output className={styles.first} data-arrived={arrived || undefined} aria-label="First trace">
      {arrived ? (
        <>
          <OkIcon size={18} aria-hidden="true" />
          <div className={styles.firstText}>
            <strong>{trace ? 'A trace has arrived' : 'Traces are arriving'}</strong>
            {project.firstSpan && (
              <span>
                The first came <Time at={project.firstSpan} />.
              </span>
            )}
          </div>
          {trace ? (
            <Link
              to="/traces/$trace"
              params={{ trace: trace.id }}
              search={{ at: trace.at }}
              className={buttonClass('primary')}
            >
              Open the trace
            </Link>
          ) : (
            <Link to="/performance" search={{ project: project.slug }} className={buttonClass()}>
              Open performance
            </Link>
          )}
        </>
      ) : (
        <>
          <span className={styles.pulse} aria-hidden="true" />
          <div className={styles.firstText}>
            <strong>Waiting for the first trace…</strong>
            <span>Tracing is part of the steps below: it needs nothing but its sample rate.</span>
          </div>
        </>
      )}
    </output>
  );
}

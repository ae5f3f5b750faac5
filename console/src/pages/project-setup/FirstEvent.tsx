import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { OkIcon } from '../../ui/icons.ts';
import { useEffect, useState } from 'react';
import { issuesQuery } from '../../features/issues/queries.ts';
import { useLive } from '../../features/live/live.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import styles from './ProjectSetupPage.module.css';

/**
 * Waits for the first event and then opens its issue by itself: the live stream says that it came, the list says which
 * issue it made. Who comes to this page later finds a link instead.
 */
export function FirstEvent({ project }: { readonly project: Project }) {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [wasWaiting] = useState(project.firstEvent === null);
  const [heard, setHeard] = useState(false);
  const arrived = heard || project.firstEvent !== null;
  const newest = useQuery({
    ...issuesQuery({ org, query: '', sort: 'date', filters: { project: project.slug }, limit: 1 }),
    enabled: arrived,
    // The event is stored before the stream speaks; its issue may follow a moment later.
    refetchInterval: (query) => (query.state.data?.issues.length ? false : 500),
  });

  useLive((message) => {
    if (message.type === 'reconnected') void queries.invalidateQueries({ queryKey: ['projects', org] });
    else if (message.type === 'events' && message.projectSlug === project.slug && message.count > 0) {
      setHeard(true);
      void queries.invalidateQueries({ queryKey: ['projects', org] });
      void newest.refetch();
    }
  });

  const issue = newest.data?.issues[0];
  const shortId = issue?.shortId;
  useEffect(() => {
    if (wasWaiting && shortId) void navigate({ to: '/issues/$issue', params: { issue: shortId } });
  }, [wasWaiting, shortId, navigate]);
  return (
    <output className={styles.first} data-arrived={arrived || undefined} aria-label="First event">
      {arrived ? (
        <>
          <OkIcon size={18} aria-hidden="true" />
          <div className={styles.firstText}>
            <strong>{issue ? 'The first event is here' : 'Events are arriving'}</strong>
            {issue && <span>{issue.title}</span>}
          </div>
          {issue ? (
            <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={buttonClass('primary')}>
              Open {issue.shortId}
            </Link>
          ) : (
            <Link to="/issues" search={{ project: project.slug }} className={buttonClass()}>
              Open issues
            </Link>
          )}
        </>
      ) : (
        <>
          <span className={styles.pulse} aria-hidden="true" />
          <div className={styles.firstText}>
            <strong>Waiting for the first event…</strong>
            <span>
              {project.firstTransactionEvent
                ? 'Spans arrive, and no error has been reported yet.'
                : 'Follow the steps below. This page updates automatically.'}
            </span>
          </div>
        </>
      )}
    </output>
  );
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UnlinkIcon } from '../../ui/icons.ts';
import { ApiError } from '../../api/errors.ts';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import { entryOf } from '../../features/event/entries.ts';
import { sharedIssueQuery, type SharedIssueAnswer } from '../../features/triage/shared-issue.ts';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import styles from './SharedIssuePage.module.css';

const route = getRouteApi('/shared/$share');

/** An issue for somebody without an account: what was thrown, where, how often. No person, no request. */
export function SharedIssuePage() {
  const { share } = route.useParams();
  const issue = useQuery(sharedIssueQuery(share));
  useTitle(issue.data?.title ?? 'Shared issue');
  const { data } = issue;
  const gone = issue.error instanceof ApiError && issue.error.status === 404;
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <Logo />
        <span>{data ? `Shared from ${data.project.name}` : 'Shared issue'}</span>
      </header>
      {issue.isPending ? (
        <Skeleton rows={8} height={40} label="Loading issue" />
      ) : gone ? (
        <EmptyState level={1} title="This issue is no longer shared" icon={<UnlinkIcon size={24} />}>
          <p>The link was revoked or is incomplete. Ask the sender for a new one.</p>
        </EmptyState>
      ) : data ? (
        <SharedIssue issue={data} />
      ) : (
        <ErrorState error={issue.error} retry={() => void issue.refetch()} what="The issue could not be loaded" />
      )}
    </main>
  );
}

function SharedIssue({ issue }: { readonly issue: SharedIssueAnswer }) {
  const { latestEvent: event } = issue;
  const message = event && entryOf(event, 'message');
  return (
    <>
      <div className={styles.crumbs}>
        <span>{issue.shortId}</span>
        <Flag kind={issue.status === 'resolved' ? 'resolved' : issue.status === 'ignored' ? 'archived' : 'plain'}>
          {issue.status === 'ignored' ? 'archived' : issue.status}
        </Flag>
        {issue.isUnhandled && <Flag kind="unhandled" />}
      </div>
      <h1 className={styles.title}>
        <Level level={issue.level} word />
        <span>{issue.title}</span>
      </h1>
      {issue.culprit && <p className={styles.culprit}>{issue.culprit}</p>}
      <dl className={styles.facts}>
        <div>
          <dt>Events</dt>
          <dd>
            <Count value={Number(issue.count)} />
          </dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd>
            <Count value={issue.userCount} />
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <Time at={issue.firstSeen} />
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <Time at={issue.lastSeen} />
          </dd>
        </div>
        {event?.release && (
          <div>
            <dt>Release</dt>
            <dd>{event.release}</dd>
          </div>
        )}
        {event?.environment && (
          <div>
            <dt>Environment</dt>
            <dd>{event.environment}</dd>
          </div>
        )}
      </dl>
      {message && message.formatted !== issue.title && <pre className={styles.message}>{message.formatted}</pre>}
      {event ? (
        <Exceptions event={event} headline={{}} />
      ) : (
        <p className={styles.culprit}>No event of it is stored any more; its numbers are.</p>
      )}
    </>
  );
}

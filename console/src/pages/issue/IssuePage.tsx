import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useEffect } from 'react';
import { ApiError } from '../../api/errors.ts';
import { loadHighlighter } from '../../features/code/use-highlight.ts';
import { issueEventQuery, issueQuery } from '../../features/issues/queries.ts';
import { hasTerm } from '../../features/issues/query-terms.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { Narrowed } from '../../features/filters/Narrowed.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { EventBar } from './EventBar.tsx';
import { EventBody } from './EventBody.tsx';
import { IssueHeader } from './IssueHeader.tsx';
import { IssueNumbers } from './IssueNumbers.tsx';
import styles from './IssuePage.module.css';

// The first thing that people read here is code.
void loadHighlighter().catch(() => undefined);

const DigestStrip = lazy(() => import('./DigestStrip.tsx').then((module) => ({ default: module.DigestStrip })));
const EventList = lazy(() => import('./EventList.tsx').then((module) => ({ default: module.EventList })));
const UserList = lazy(() => import('./UserList.tsx').then((module) => ({ default: module.UserList })));
const GroupingNote = lazy(() => import('./GroupingNote.tsx').then((module) => ({ default: module.GroupingNote })));
const route = getRouteApi('/shell/issues/$issue');

/** What broke, where, since when, and for whom. */
export function IssuePage() {
  const org = useOrg();
  const { issue: id } = route.useParams();
  const { event: eventId = 'recommended', q = '', environment, merged, list } = route.useSearch();
  const navigate = route.useNavigate();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const issue = useQuery({ ...issueQuery(org, id, { environment }), refetchOnMount: false });
  const event = useQuery({
    ...issueEventQuery(org, id, eventId, q, { environment }),
    // Walking from event to event keeps the last one until the next is there; another issue starts empty.
    // What is being read does not change under the reader's eyes.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    enabled: !list,
    placeholderData: (before, query) => (query?.queryKey[3] === id ? before : undefined),
  });

  const follow = useThrottled(() => {
    void issue.refetch();
    // A chosen event learns its new neighbours; a recommended one could be another by now, so it stays.
    if (eventId === event.data?.eventID) void event.refetch();
  }, 2000);
  useLive((message) => {
    if (
      message.type === 'reconnected' ||
      (issue.data && 'issueIds' in message && message.issueIds.includes(issue.data.id))
    )
      follow();
  });
  // A link by id, or to an issue that was merged, is answered, and from then on carries the name that people use.
  useEffect(() => {
    if (issue.data && issue.data.shortId !== id)
      void navigate({
        params: { issue: issue.data.shortId },
        search: (before) => ({ ...before, merged: issue.data.mergedFrom?.shortId }),
        replace: true,
      });
  }, [issue.data, id, navigate]);

  const refreshing = issue.isFetching || (event.isFetching && event.data !== undefined);
  const words = issue.data && issueWords(issue.data);
  useTitle(words ? [words.name, words.text].filter(Boolean).join(': ') : id, issue.data?.shortId);

  if (issue.isPending) return <Skeleton rows={8} height={64} label="Loading issue" />;
  if (issue.isError && !issue.data) {
    if (issue.error instanceof ApiError && issue.error.status === 404) {
      return (
        <EmptyState level={1} title={`There is no issue ${id}`} icon={<NotFoundIcon size={24} />}>
          <p>It may have been deleted with its project, or the link is incomplete.</p>
          <Link to="/issues" className={buttonClass()}>
            Go to issues
          </Link>
        </EmptyState>
      );
    }
    return <ErrorState error={issue.error} retry={() => void issue.refetch()} what="The issue could not be loaded" />;
  }

  return (
    <div className={styles.page} aria-busy={refreshing}>
      <BusyBar busy={refreshing} />
      {hasTerm(q, 'digest') && (
        <Suspense fallback={<div className={styles.stripSpace} />}>
          <DigestStrip shortId={issue.data.shortId} shownEvent={event.data?.eventID} />
        </Suspense>
      )}
      {merged && (
        <Suspense>
          <GroupingNote issue={issue.data} merged={merged} />
        </Suspense>
      )}
      <IssueHeader issue={issue.data} event={event.data} />
      <Narrowed by={['environment']} />
      <IssueNumbers issue={issue.data} />
      {!list && <EventBar issue={issue.data} event={event.data} wanted={eventId} filter={q} />}
      {list ? (
        <Suspense fallback={<Skeleton rows={10} height={36} label="Loading list" />}>
          {list === 'events' ? <EventList issue={issue.data} /> : <UserList issue={issue.data} />}
        </Suspense>
      ) : event.isPending ? (
        <Skeleton rows={10} height={40} label="Loading event" />
      ) : event.data ? (
        <EventBody issue={issue.data} event={event.data} filter={q} />
      ) : event.error instanceof ApiError && event.error.status === 404 ? (
        <EmptyState
          title={q ? 'No event of this issue matches the filter' : 'This event is not stored any more'}
          icon={<NotFoundIcon size={24} />}
        >
          <p>
            {q
              ? 'Remove the filter above to see the others.'
              : 'Events are deleted when they are older than the retention time. The issue keeps its numbers.'}
          </p>
          <Link
            from="/issues/$issue"
            to="."
            search={(before) => ({ ...before, event: undefined, q: undefined })}
            className={buttonClass()}
          >
            Show the recommended event
          </Link>
        </EmptyState>
      ) : (
        <ErrorState error={event.error} retry={() => void event.refetch()} what="The event could not be loaded" />
      )}
    </div>
  );
}

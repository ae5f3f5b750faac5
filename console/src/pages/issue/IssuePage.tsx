import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/errors.ts';
import { loadHighlighter } from '../../features/code/use-highlight.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import { type IssueDetail, issueEventQuery, issueQuery } from '../../features/issues/queries.ts';
import { hasTerm } from '../../features/issues/query-terms.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue.ts';
import { lazily } from '../../ui/lazily.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { EventBar } from './EventBar.tsx';
import { EventBody } from './EventBody.tsx';
import { IssueHeader } from './IssueHeader.tsx';
import { IssueNumbers } from './IssueNumbers.tsx';
import { IssueStripSpace } from './IssueStrip.tsx';

// The first thing that people read here is code.
void loadHighlighter().catch(() => undefined);

const DigestStrip = lazily(async () => (await import('./DigestStrip.tsx')).DigestStrip, <IssueStripSpace />);
const EventList = lazily(async () => (await import('./EventList.tsx')).EventList);
const UserList = lazily(async () => (await import('./UserList.tsx')).UserList);
const GroupingNote = lazily(async () => (await import('./GroupingNote.tsx')).GroupingNote);
const Missing = lazily(async () => (await import('./Missing.tsx')).Missing);
const route = getRouteApi('/shell/issues/$issue');

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** What broke, where, since when, and for whom. */
export function IssuePage() {
  const org = useOrg();
  const { issue: id } = route.useParams();
  const { environment } = route.useSearch();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const issue = useQuery({ ...issueQuery(org, id, { environment }), refetchOnMount: false });
  const words = issue.data && issueWords(issue.data);
  useTitle(words ? [words.name, words.text].filter(Boolean).join(': ') : id, issue.data?.shortId);

  if (!issue.data && isNotFound(issue.error)) return <Missing issue={id} />;
  return (
    <QueryView query={issue} loading={m.loading} failed={m.failed} rows={8} height={64}>
      {(data) => <Issue issue={data} id={id} refresh={() => void issue.refetch()} />}
    </QueryView>
  );
}

/** `id` is what the address calls it. */
function Issue({
  issue,
  id,
  refresh,
}: {
  readonly issue: IssueDetail;
  readonly id: string;
  readonly refresh: () => void;
}) {
  const org = useOrg();
  const { event: eventId = 'recommended', q = '', environment, merged, list } = route.useSearch();
  const navigate = route.useNavigate();
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
    refresh();
    // A chosen event learns its new neighbours; a recommended one could be another by now, so it stays.
    if (eventId === event.data?.eventID) void event.refetch();
  }, 2000);
  useLive((message) => {
    if (message.type === 'reconnected' || ('issueIds' in message && message.issueIds.includes(issue.id))) follow();
  });
  // A link by id, or to an issue that was merged, is answered, and from then on carries the name that people use.
  useEffect(() => {
    if (issue.shortId !== id)
      void navigate({
        params: { issue: issue.shortId },
        search: (before) => ({ ...before, merged: issue.mergedFrom?.shortId }),
        replace: true,
      });
  }, [issue, id, navigate]);

  return (
    <>
      {hasTerm(q, 'digest') && <DigestStrip shortId={issue.shortId} shownEvent={event.data?.eventID} />}
      {merged && <GroupingNote issue={issue} merged={merged} />}
      <IssueHeader issue={issue} event={event.data} />
      <IssueNumbers issue={issue} />
      {list ? (
        list === 'events' ? (
          <EventList issue={issue} />
        ) : (
          <UserList issue={issue} />
        )
      ) : (
        <>
          <EventBar issue={issue} event={event.data} wanted={eventId} filter={q} />
          {!event.data && isNotFound(event.error) ? (
            <Missing event={q ? 'filtered' : 'deleted'} />
          ) : (
            <QueryView query={event} loading={m.loadingEvent} failed={m.eventFailed} rows={10} height={40}>
              {(data) => <EventBody issue={issue} event={data} filter={q} />}
            </QueryView>
          )}
        </>
      )}
    </>
  );
}

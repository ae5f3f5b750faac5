import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { issuesQuery } from '../../features/issues/queries.ts';
import { useLive } from '../../features/live/live.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-setup.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Text } from '../../ui/Text.tsx';
import { Arrival } from './Arrival.tsx';

/**
 * Waits for the first event and then opens its issue: the live stream says that it arrived, the list says which issue
 * it belongs to. Those who open this page later find a link instead.
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
  if (!arrived)
    return (
      <Arrival
        label={m.firstEvent}
        state="waiting"
        title={m.waitingForEvent}
        detail={project.firstTransactionEvent ? m.onlySpans : m.waitingForEventHint}
      />
    );
  return (
    <Arrival
      label={m.firstEvent}
      state="ok"
      title={issue ? m.firstEventHere : m.eventsArriving}
      detail={
        issue && (
          <Text cut as="div">
            <span translate="no">{issue.title}</span>
          </Text>
        )
      }
      action={
        issue ? (
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={buttonClass('primary')}>
            {m.openIssue({ issue: issue.shortId })}
          </Link>
        ) : (
          <Link to="/issues" search={{ project: project.slug }} className={buttonClass()}>
            {m.openIssues}
          </Link>
        )
      }
    />
  );
}

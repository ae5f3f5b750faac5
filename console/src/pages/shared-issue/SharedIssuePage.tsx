import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { entryOf } from '../../features/event/entries.ts';
import { LongText } from '../../features/event/LongText.tsx';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import { sharedIssueQuery, type SharedIssueAnswer } from '../../features/triage/shared-issue.ts';
import * as m from '../../messages/shared-issue.ts';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Level } from '../../ui/Level.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Card } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { linksOff, notShared } from './empty.ts';
import styles from './SharedIssuePage.module.css';

const route = getRouteApi('/shared/$share');

/** An issue for someone without an account: what was thrown, where, how often. No person, no request. */
export function SharedIssuePage() {
  const { share } = route.useParams();
  const issue = useQuery(sharedIssueQuery(share));
  const { data, error } = issue;
  useTitle(data?.title ?? m.title);
  const gone = !data && error instanceof ApiError && error.status === 404;
  const paused = !data && error instanceof ApiError && error.code === 'SHARE_LINK_PAUSED';
  return (
    <main className={styles.page}>
      <header className={styles.top}>
        <Logo />
        <span>{data ? m.from({ project: data.project.name }) : m.title}</span>
      </header>
      {gone ? (
        <Empty of={notShared} />
      ) : paused ? (
        <Empty of={linksOff} />
      ) : (
        <QueryView query={issue} loading={m.loading} failed={m.failed} rows={8} height={40}>
          {(answer) => <SharedIssue issue={answer} />}
        </QueryView>
      )}
    </main>
  );
}

export function SharedIssue({ issue }: { readonly issue: SharedIssueAnswer }) {
  const { latestEvent: event, status } = issue;
  const message = event && entryOf(event, 'message');
  return (
    <Stack gap={24}>
      <Stack gap={4}>
        <Inline>
          <Text tone="faint">
            <span translate="no">{issue.shortId}</span>
          </Text>
          {status === 'unresolved' ? (
            <Flag kind="plain">{m.unresolved}</Flag>
          ) : (
            <Flag kind={status === 'resolved' ? 'resolved' : 'archived'} />
          )}
          {issue.isUnhandled && <Flag kind="unhandled" />}
        </Inline>
        <h1 className={styles.title}>
          <Level level={issue.level} word />
          <span translate="no">{issue.title}</span>
        </h1>
        {issue.culprit && (
          <Text as="p" tone="faint" small>
            <code>{issue.culprit}</code>
          </Text>
        )}
      </Stack>
      <Stats>
        <Stat name={m.events}>
          <EventCount of={issue} />
        </Stat>
        <Stat name={m.users}>
          <Count value={issue.userCount} />
        </Stat>
        <Stat name={m.firstSeen}>
          <Time at={issue.firstSeen} />
        </Stat>
        <Stat
          name={m.lastSeen}
          note={event?.release && <span translate="no">{m.inRelease({ release: event.release })}</span>}
        >
          <Time at={issue.lastSeen} />
        </Stat>
        {event?.environment && (
          <Stat name={m.environment}>
            <span translate="no">{event.environment}</span>
          </Stat>
        )}
      </Stats>
      {message && message.formatted !== issue.title && (
        <Card>
          <LongText label={m.message} text={message.formatted} />
        </Card>
      )}
      {event ? <Exceptions event={event} headline={{}} /> : <Text as="p">{m.noEvent}</Text>}
    </Stack>
  );
}

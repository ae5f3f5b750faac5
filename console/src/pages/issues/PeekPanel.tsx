import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { CloseIcon } from '../../ui/icons.ts';
import { useEffect, useState } from 'react';
import { useZoom } from '../../features/charts/use-zoom.ts';
import { EventChart } from '../../features/issues/EventChart.tsx';
import { shownExceptions } from '../../features/event/entries.ts';
import { highlights } from '../../features/event/highlights.ts';
import type { Event } from '../../features/event/types.ts';
import { issueEventQuery, type Issue } from '../../features/issues/queries.ts';
import { issueWords } from '../../features/issues/issue-words.ts';
import { trendOf } from '../../features/issues/trend.ts';
import { useOrg } from '../../features/session/organization.ts';
import { firstInAppIndex, frameFunction, frameLocation } from '../../features/stacktrace/frames.ts';
import { SourceBlock } from '../../features/stacktrace/SourceBlock.tsx';
import type { Action } from '../../features/triage/actions.ts';
import { stateWords } from '../../features/triage/state-words.ts';
import { TriageButtons, type OpenMenu } from '../../features/triage/TriageButtons.tsx';
import { withKey } from '../../features/commands/shortcuts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Level } from '../../ui/Level.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import styles from './PeekPanel.module.css';

/** Walking past a row asks for nothing. */
const restMs = 150;

/** An issue beside the list: what it is, the line that threw, how much, and what can be done; the focus stays in the list. */
export function PeekPanel({
  issue,
  onAct,
  onMenu,
  onClose,
}: {
  readonly issue: Issue;
  readonly onAct: (action: Action) => void;
  readonly onMenu: OpenMenu;
  readonly onClose: () => void;
}) {
  const { name, text, place } = issueWords(issue);
  const state = stateWords(issue, useNow());
  const zoom = useZoom();
  const { points, time } = trendOf(issue);
  return (
    <aside className={styles.panel} aria-label={`Peek: ${issue.shortId}`}>
      <header className={styles.head}>
        <span className={styles.id}>{issue.shortId}</span>
        <Flag kind={state.kind}>{state.word}</Flag>
        <span className={styles.how}>{state.how}</span>
        <IconButton
          size="small"
          label="Close the peek"
          tip={withKey('Close', 'list.peek')}
          icon={<CloseIcon size={16} />}
          onClick={onClose}
        />
      </header>
      <div className={styles.actions}>
        <TriageButtons issue={issue} onAct={onAct} onMenu={onMenu} />
      </div>
      <h2 className={styles.title}>
        <Level level={issue.level} />
        <Link to="/issues/$issue" params={{ issue: issue.shortId }}>
          {name}
        </Link>
      </h2>
      {text && <p className={styles.text}>{text}</p>}
      {place && <p className={styles.place}>{place}</p>}
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
          <dt>Last seen</dt>
          <dd>
            <Time at={issue.lastSeen} />
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <Time at={issue.firstSeen} />
          </dd>
        </div>
      </dl>
      <div className={styles.chart}>
        <EventChart points={points} title={`Events, ${time}`} onZoom={zoom} />
      </div>
      <Resting key={issue.id} issue={issue} />
    </aside>
  );
}

/** The event, once the walk has come to rest here. */
function Resting({ issue }: { readonly issue: Issue }) {
  const [rests, setRests] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  const org = useOrg();
  const { environment } = useSearch({ from: '/shell/issues' });
  const event = useQuery({
    ...issueEventQuery(org, issue.shortId, 'recommended', '', { environment }),
    enabled: rests,
    refetchOnWindowFocus: false,
  });
  if (event.data) return <Seen event={event.data} />;
  if (event.isError)
    return <ErrorState error={event.error} retry={() => void event.refetch()} what="The event could not be loaded" />;
  return <Skeleton rows={6} height={20} label="Loading the event" />;
}

const maxFacts = 6;

function Seen({ event }: { readonly event: Event }) {
  const [shown] = shownExceptions(event);
  const frames = shown?.stacktrace?.frames ?? [];
  const frame = frames[firstInAppIndex(frames)];
  return (
    <>
      {frame && (
        <section className={styles.frame} aria-label="The line that threw">
          <p className={styles.where}>
            <strong>{frameFunction(frame)}</strong> in {frameLocation(frame)}
          </p>
          {frame.context.length > 0 && <SourceBlock frame={frame} platform={event.platform} />}
        </section>
      )}
      <dl className={styles.highlights}>
        {highlights(event)
          .slice(0, maxFacts)
          .map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </>
  );
}

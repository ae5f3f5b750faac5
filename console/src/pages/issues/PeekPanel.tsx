import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import * as m from '../../messages/issues.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import { useZoom } from '../../features/charts/use-zoom.ts';
import { shownExceptions } from '../../features/event/entries.ts';
import { highlights } from '../../features/event/highlights.ts';
import type { Event } from '../../features/event/types.ts';
import { EventChart } from '../../features/issues/EventChart.tsx';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { issueWords } from '../../features/issues/issue-words.ts';
import { issueEventQuery, type Issue } from '../../features/issues/queries.ts';
import { trendOf } from '../../features/issues/trend.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { firstInAppIndex } from '../../features/stacktrace/frames.ts';
import { frameName, frameWhere } from '../../features/stacktrace/names.ts';
import { SourceBlock } from '../../features/stacktrace/SourceBlock.tsx';
import type { Action } from '../../features/triage/actions.ts';
import { stateWords } from '../../features/triage/state-words.ts';
import { TriageButtons, type OpenMenu } from '../../features/triage/TriageButtons.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { CloseIcon } from '../../ui/icons.ts';
import { KeyValue, Pair, Stat, Stats } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Level } from '../../ui/Level.tsx';
import { Card } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import styles from './PeekPanel.module.css';

const plain = (text: ReactNode): ReactNode => text;

/** Walking past a row asks for nothing. */
const restMs = 150;

/** An issue next to the list: name, failing line, numbers and actions; the focus stays in the list. */
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
  const mayChange = useMay('event:write');
  const state = stateWords(issue, useNow());
  const zoom = useZoom();
  const { points, time } = trendOf(issue);
  return (
    <aside className={styles.panel} aria-label={m.peek({ id: issue.shortId })}>
      <header className={styles.head}>
        <span translate="no">{issue.shortId}</span>
        <Flag kind={state.kind}>{state.word}</Flag>
        <Text tone="faint" small cut>
          {state.how}
        </Text>
        <IconButton
          size="small"
          label={m.closePeek}
          tip={withKey(m.close, 'list.peek')}
          icon={<CloseIcon size={16} />}
          onClick={onClose}
        />
      </header>
      {mayChange && (
        <Inline>
          <TriageButtons issue={issue} onAct={onAct} onMenu={onMenu} />
        </Inline>
      )}
      <Stack gap={4}>
        <h2 className={styles.title}>
          <Level level={issue.level} />
          <Link to="/issues/$issue" params={{ issue: issue.shortId }} translate="no">
            {name}
          </Link>
        </h2>
        {text && (
          <p className={styles.text} translate="no">
            {text}
          </p>
        )}
        {place && (
          <Text as="p" tone="faint" small>
            <code>{place}</code>
          </Text>
        )}
        <Facts>
          {m.lastSeenCell({ when: <Time at={issue.lastSeen} />, word: plain })}
          {m.firstSeenCell({ when: <Time at={issue.firstSeen} />, word: plain })}
        </Facts>
      </Stack>
      <Stats>
        <Stat name={m.columns.events}>
          <EventCount of={issue} />
        </Stat>
        <Stat name={m.columns.users}>
          <Count value={issue.userCount} />
        </Stat>
      </Stats>
      <EventChart points={points} title={m.trend({ time })} onZoom={zoom} />
      <Resting key={issue.id} issue={issue} />
    </aside>
  );
}

/** The event, once the walk rests here. */
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
  return (
    <QueryView query={event} loading={m.loadingEvent} failed={m.eventFailed} rows={6} height={20}>
      {(data) => <Seen event={data} />}
    </QueryView>
  );
}

const maxFacts = 6;

function Seen({ event }: { readonly event: Event }) {
  const [shown] = shownExceptions(event);
  const frames = shown?.stacktrace?.frames ?? [];
  const frame = frames[firstInAppIndex(frames)];
  const { scope, name } = frame ? frameName(frame, event.platform) : { scope: '', name: '' };
  return (
    <>
      {frame && (
        <section aria-label={m.topFrame}>
          <Card>
            <p className={styles.where}>
              {m.frame({
                function: (
                  <strong translate="no">
                    {scope}
                    {name}
                  </strong>
                ),
                location: <span translate="no">{frameWhere(frame, event.platform)}</span>,
              })}
            </p>
            {frame.context.length > 0 && <SourceBlock frame={frame} platform={event.platform} />}
          </Card>
        </section>
      )}
      <KeyValue>
        {highlights(event)
          .slice(0, maxFacts)
          .map(({ label, value }) => (
            <Pair key={label} name={label}>
              <span translate="no">{value}</span>
            </Pair>
          ))}
      </KeyValue>
    </>
  );
}

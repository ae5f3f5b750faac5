import * as m from '../../messages/find.ts';
import { lasting } from '../../features/filters/filters.ts';
import { CauseCard } from '../../features/find/CauseCard.tsx';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import { NarrowByTime } from '../../features/find/NarrowByTime.tsx';
import type { FindAnswer, FindScope } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { TraceCard } from '../../features/find/TraceCard.tsx';
import { visitsText } from '../../features/find/words.ts';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './FindPage.module.css';
import { Headline } from './Headline.tsx';

/** Several issues match: 32 bits collide, and a trace may have more than one error. */
export function Causes({
  answer,
  scope,
  onScope,
}: {
  readonly answer: Extract<FindAnswer, { kind: 'cause' }>;
  readonly scope: FindScope;
  readonly onScope: (scope: FindScope) => void;
}) {
  const { causes, more, matchedBy, value, host, shown, traces } = answer;
  const [first] = causes;
  // The one that was searched; others are shown with their cause.
  const traced = (matchedBy === 'trace' || matchedBy === 'span') && first?.trace ? first : undefined;
  const seen = { visits: visitsText(answer), when: <Since at={answer.firstSeen} /> };
  return (
    <>
      <Headline title={m.matches[matchedBy]({ count: causes.length + more, value })}>
        <Text as="p">
          {host ? m.visitsOnHostSince({ ...seen, host: <strong translate="no">{host}</strong> }) : m.visitsSince(seen)}{' '}
          {matchedBy === 'digest' && m.digestsCollide}{' '}
          <NarrowByTime scope={scope} onChange={(next) => onScope({ ...lasting(), ...next })} />
        </Text>
      </Headline>
      <ol className={styles.causes} aria-label={m.issues}>
        {causes.map((cause) => (
          <CauseCard key={cause.issue.id} cause={cause} matchedBy={matchedBy} value={value} scope={scope} />
        ))}
      </ol>
      {more > 0 && <p>{m.moreIssues({ count: more })}</p>}
      {traced?.trace && (
        <Section title={m.trace}>
          <TraceCard trace={traced.trace} event={traced.event.id} />
        </Section>
      )}
      {shown.newest.length > 0 && (
        <Section title={m.shown} note={m.shownNote}>
          <FoundEvents label={m.shown} events={shown.newest} />
        </Section>
      )}
      {traces.length > 0 && !traced && (
        <Section title={m.traces} note={m.tracesNote}>
          <FoundTraces traces={traces} />
        </Section>
      )}
    </>
  );
}

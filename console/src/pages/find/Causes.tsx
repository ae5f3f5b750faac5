import { CauseCard } from '../../features/find/CauseCard.tsx';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import { NarrowByTime } from '../../features/find/NarrowByTime.tsx';
import type { FindAnswer, FindScope } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { TraceCard } from '../../features/find/TraceCard.tsx';
import { visitsText } from '../../features/find/words.ts';
import { plural, pluralForm } from '../../ui/numbers.ts';
import { Section } from '../../ui/Page.tsx';
import styles from './FindPage.module.css';

/** Several issues match: 32 bits collide, and a trace may hold more than one error. */
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
  const count = causes.length + more;
  const [first] = causes;
  // Which was asked for; the others are told of with their cause.
  const traced = (matchedBy === 'trace' || matchedBy === 'span') && first?.trace ? first : undefined;
  return (
    <>
      <div className={styles.head}>
        <div role="status">
          <h2>
            {plural(count, 'issue')} {pluralForm(count, 'matches', 'match')} {matchedBy} {value}
          </h2>
        </div>
        <p>
          {visitsText(answer.visits)}
          {host && (
            <>
              {' '}
              on <strong>{host}</strong>
            </>
          )}{' '}
          since <Since at={answer.firstSeen} />, the newest first.{' '}
          {matchedBy === 'digest' && 'Different errors can share a number; the line that differs is marked. '}
          <NarrowByTime scope={scope} onChange={(next) => onScope({ ...cleared, ...next })} />
        </p>
      </div>
      <ol aria-label="Issues">
        {causes.map((cause) => (
          <CauseCard key={cause.issue.id} cause={cause} matchedBy={matchedBy} value={value} scope={scope} />
        ))}
      </ol>
      {more > 0 && (
        <p>
          {plural(more, 'more issue')} {pluralForm(more, 'matches', 'match')}. Narrow by time to see them.
        </p>
      )}
      {traced?.trace && (
        <Section title="Trace">
          <TraceCard trace={traced.trace} event={traced.event.id} />
        </Section>
      )}
      {shown.newest.length > 0 && (
        <Section title="Shown in the browser" note="Events of the pages on which the failure was seen.">
          <FoundEvents label="Shown in the browser" events={shown.newest} />
        </Section>
      )}
      {traces.length > 0 && !traced && (
        <Section title="Traces" note="Which tie what the server threw to what the browser showed.">
          <FoundTraces traces={traces} />
        </Section>
      )}
    </>
  );
}

const cleared = { range: undefined, start: undefined, end: undefined };

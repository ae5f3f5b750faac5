import { Link } from '@tanstack/react-router';
import { Evidence, LastServerEvent } from '../../features/find/Evidence.tsx';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import type { FindAnswer } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { visitsText } from '../../features/find/words.ts';
import { WatchButton } from '../../features/find/WatchButton.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';
import styles from './FindPage.module.css';
import { Patience } from './Patience.tsx';

/** The screen was seen, its cause was not reported. */
export function BrowserOnly({
  answer,
  until,
  again,
}: {
  readonly answer: Extract<FindAnswer, { kind: 'browser_only' }>;
  readonly until: number;
  readonly again: () => void;
}) {
  const { evidence, host, issue, shown, traces, matchedBy, value } = answer;
  return (
    <>
      <div className={styles.head}>
        <div role="status">
          <h2>The server did not report this one</h2>
        </div>
        <p>
          Browsers reported it from {visitsText(answer.visits)}
          {host && (
            <>
              {' '}
              on <strong>{host}</strong>
            </>
          )}{' '}
          since <Since at={answer.firstSeen} />. <LastServerEvent evidence={evidence} />
        </p>
        <Patience until={until} again={again} />
        <div className={styles.act}>
          {matchedBy === 'digest' && <WatchButton request={{ digest: value, host }} watch={evidence.watch} />}
          {issue && (
            <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={buttonClass()}>
              Open {issue.shortId}
            </Link>
          )}
        </div>
      </div>
      <Section title="Shown in the browser">
        <FoundEvents label="Shown in the browser" events={shown.newest} issue={issue?.shortId} />
      </Section>
      {traces.length > 0 && (
        <Section title="Traces">
          <FoundTraces traces={traces} />
        </Section>
      )}
      <Evidence evidence={evidence} label="Does the server report its errors?" />
    </>
  );
}

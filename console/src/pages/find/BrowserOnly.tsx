import { Link } from '@tanstack/react-router';
import * as m from '../../messages/find.ts';
import { Evidence, LastServerEvent } from '../../features/find/Evidence.tsx';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import type { FindAnswer } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { visitsText } from '../../features/find/words.ts';
import { WatchButton } from '../../features/find/WatchButton.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Headline } from './Headline.tsx';
import { Patience } from './Patience.tsx';

/** Browsers reported the error page, the server did not report its cause. */
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
  const seen = { visits: visitsText(answer), when: <Since at={answer.firstSeen} /> };
  return (
    <>
      <Headline title={m.browserOnly}>
        <Text as="p">
          {host
            ? m.browserOnlyOnHost({ ...seen, host: <strong translate="no">{host}</strong> })
            : m.browserOnlySince(seen)}{' '}
          <LastServerEvent evidence={evidence} />
        </Text>
        <Patience until={until} again={again} />
        <Inline>
          {matchedBy === 'digest' && <WatchButton request={{ digest: value, host }} watch={evidence.watch} />}
          {issue && (
            <Link to="/issues/$issue" params={{ issue: issue.shortId }} className={buttonClass()}>
              {m.openIssue({ id: issue.shortId })}
            </Link>
          )}
        </Inline>
      </Headline>
      <Section title={m.shown}>
        <FoundEvents label={m.shown} events={shown.newest} issue={issue?.shortId} />
      </Section>
      {traces.length > 0 && (
        <Section title={m.traces}>
          <FoundTraces traces={traces} />
        </Section>
      )}
      <Evidence evidence={evidence} label={m.serverReporting} />
    </>
  );
}

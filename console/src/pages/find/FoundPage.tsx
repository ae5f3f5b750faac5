import * as m from '../../messages/find.ts';
import { Evidence } from '../../features/find/Evidence.tsx';
import { FoundEvents } from '../../features/find/FoundEvents.tsx';
import type { FindAnswer } from '../../features/find/queries.ts';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Headline } from './Headline.tsx';

/** Recent errors of one page, or where an error page without a digest was seen. */
export function FoundPage({ answer }: { readonly answer: Extract<FindAnswer, { kind: 'page' }> }) {
  const { host, path, issues, evidence, understood } = answer;
  const side = understood.find(({ kind }) => kind === 'side')?.value;
  return (
    <>
      <Headline title={titleOf(answer, side)}>
        {path && (
          <Text as="p">
            <span translate="no">
              {host}
              {path}
            </span>
          </Text>
        )}
        {side === 'browser' && <Text as="p">{m.browserNoDigest}</Text>}
        {side === 'server' && <Text as="p">{m.serverNoDigest}</Text>}
      </Headline>
      {issues.length > 0 ? (
        <Section title={m.newestOfEach}>
          <FoundEvents label={m.newestOfEach} events={issues.map(({ event }) => event)} />
        </Section>
      ) : (
        <Evidence evidence={evidence} label={m.evidence} />
      )}
    </>
  );
}

function titleOf({ host, path, issues }: Extract<FindAnswer, { kind: 'page' }>, side: string | undefined): string {
  const isFound = issues.length > 0;
  if (path) return isFound ? m.foundOnPage : m.noneOnPage;
  if (host) return (isFound ? m.foundOnHost : m.noneOnHost)({ host });
  if (side === 'browser') return isFound ? m.foundInBrowsers : m.noneInBrowsers;
  return isFound ? m.foundOnServers : m.noneOnServers;
}

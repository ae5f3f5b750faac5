import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import { NarrowByTime } from '../../features/find/NarrowByTime.tsx';
import { digestOfFilter, narrowed } from '../../features/find/places.ts';
import { type Cause, type FindAnswer, findQuery, type FindScope } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { visitsText } from '../../features/find/words.ts';
import { frameFunction, frameLocation } from '../../features/stacktrace/frames.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/digest-strip.ts';
import { Columns } from '../../ui/Layout.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './DigestStrip.module.css';
import { IssueStrip, StripLine } from './IssueStrip.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** How one came here from a digest: what it stands for in this issue, who saw it, and the way to narrow it. */
export function DigestStrip({
  shortId,
  shownEvent,
}: {
  readonly shortId: string;
  readonly shownEvent: string | undefined;
}) {
  const { q = '' } = route.useSearch();
  const asked = digestOfFilter(q);
  return asked && <Strip shortId={shortId} shownEvent={shownEvent} filter={q} {...asked} />;
}

function Strip({
  shortId,
  shownEvent,
  filter,
  digest,
  scope,
}: {
  readonly shortId: string;
  readonly shownEvent: string | undefined;
  readonly filter: string;
  readonly digest: string;
  readonly scope: FindScope;
}) {
  const navigate = route.useNavigate();
  const org = useOrg();
  const queries = useQueryClient();
  const { data: answer } = useQuery(findQuery(org, digest, scope));
  const cause = causeIn(answer, shortId);
  const narrow = async (next: FindScope): Promise<void> => {
    // Where nothing is left in that time, the event stays and the strip says so.
    const event = await queries.fetchQuery(findQuery(org, digest, next)).then(
      (found) => causeIn(found, shortId)?.event.id ?? shownEvent,
      () => shownEvent,
    );
    await navigate({ search: (before) => ({ ...before, q: narrowed(filter, next), event }) });
  };
  if (!answer || answer.kind !== 'cause' || !cause)
    return (
      <IssueStrip label={m.label({ digest })}>
        <StripLine>
          <span>
            {answer
              ? m.reason({ digest, reason: m.reasons[missing(answer.kind, Object.keys(scope).length > 0)] })
              : m.digest({ digest })}
          </span>
          {answer?.kind === 'nothing' && <NarrowByTime scope={scope} onChange={(next) => void narrow(next)} />}
          {answer?.kind === 'cause' && (
            <Link to="/find" search={{ q: digest }}>
              {m.showThem}
            </Link>
          )}
        </StripLine>
      </IssueStrip>
    );
  const others = answer.causes.length - 1 + answer.more;
  const visits = { digest, visits: visitsText(cause), since: <Since at={cause.firstSeen} /> };
  return (
    <IssueStrip label={m.label({ digest })}>
      <StripLine>
        <span>{answer.host ? m.visitsOn({ ...visits, host: answer.host }) : m.visits(visits)}</span>
        {shownEvent === cause.event.id ? (
          <Text>{m.showingNewest}</Text>
        ) : (
          shownEvent !== undefined && (
            <Link from="/issues/$issue" to="." search={(before) => ({ ...before, event: cause.event.id })}>
              {m.showNewest}
            </Link>
          )
        )}
        <NarrowByTime scope={scope} onChange={(next) => void narrow(next)} />
        {others > 0 && (
          <Link to="/find" search={{ q: digest }}>
            {m.otherIssues({ count: others })}
          </Link>
        )}
      </StripLine>
      <FailingLine frame={cause.frame} />
      <Seen answer={answer} shortId={shortId} releases={cause.releases} />
    </IssueStrip>
  );
}

/** On a narrow screen the stack trace is below the fold; the line that threw is not. */
function FailingLine({ frame }: { readonly frame: Cause['frame'] }) {
  const line = frame?.context.find(([number]) => number === frame.lineNo)?.[1].trim();
  if (!frame || !line) return null;
  return (
    <p className={styles.failing}>
      <span>{m.failingLine({ function: frameFunction(frame), place: frameLocation(frame) })}</span>
      <code>{line.slice(0, 300)}</code>
    </p>
  );
}

function causeIn(answer: FindAnswer | undefined, shortId: string): Cause | undefined {
  return answer?.kind === 'cause' ? answer.causes.find(({ issue }) => issue.shortId === shortId) : undefined;
}

/** Why the strip has no numbers for this issue. */
function missing(kind: FindAnswer['kind'], narrowed: boolean): keyof typeof m.reasons {
  if (kind === 'cause') return 'elsewhere';
  if (kind === 'browser_only') return 'browserOnly';
  return narrowed ? 'noneInTime' : 'noneYet';
}

const namedReleases = 3;

/** In which releases, and the browser events and traces that belong to it, folded away. */
function Seen({
  answer,
  shortId,
  releases,
}: {
  readonly answer: Extract<FindAnswer, { kind: 'cause' }>;
  readonly shortId: string;
  readonly releases: readonly string[];
}) {
  const { shown, traces } = answer;
  const named = { releases: releases.slice(0, namedReleases).join(', ') };
  const inReleases =
    releases.length === 0 ? '' : releases.length > namedReleases ? m.releasesAndOlder(named) : m.releases(named);
  if (shown.newest.length === 0 && traces.length === 0)
    return inReleases ? <p className={styles.seen}>{inReleases}</p> : null;
  const parts = [
    inReleases,
    m.browserEvents({ count: shown.count }),
    traces.length > 0 && m.traces({ count: traces.length }),
  ];
  return (
    <details>
      <summary className={styles.seen}>{parts.filter(Boolean).join(' · ')}</summary>
      <Columns min={360} gap={12}>
        {shown.newest.length > 0 && <FoundEvents label={m.shownInBrowser} events={shown.newest} issue={shortId} />}
        {traces.length > 0 && <FoundTraces traces={traces} />}
      </Columns>
    </details>
  );
}

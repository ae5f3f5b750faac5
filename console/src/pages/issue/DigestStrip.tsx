import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import { NarrowByTime } from '../../features/find/NarrowByTime.tsx';
import { digestOfFilter, narrowed } from '../../features/find/places.ts';
import { findQuery, type Cause, type FindAnswer, type FindScope } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { visitsText } from '../../features/find/words.ts';
import { frameFunction, frameLocation } from '../../features/stacktrace/frames.ts';
import { useOrg } from '../../features/session/organization.ts';
import { plural } from '../../ui/numbers.ts';
import styles from './DigestStrip.module.css';

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
      <section className={styles.strip} aria-label={`Digest ${digest}`}>
        <p className={styles.line}>
          <span>
            Digest <strong>{digest}</strong>
            {answer && `: ${missing(answer.kind, Object.keys(scope).length > 0)}.`}
          </span>
          {answer?.kind === 'nothing' && <NarrowByTime scope={scope} onChange={(next) => void narrow(next)} />}
          {answer?.kind === 'cause' && (
            <Link to="/find" search={{ q: digest }}>
              Show them
            </Link>
          )}
        </p>
      </section>
    );
  const others = answer.causes.length - 1 + answer.more;
  return (
    <section className={styles.strip} aria-label={`Digest ${digest}`}>
      <p className={styles.line}>
        <span>
          Digest <strong>{digest}</strong>: {visitsText(cause.visits)}
          {answer.host && (
            <>
              {' '}
              on <strong>{answer.host}</strong>
            </>
          )}{' '}
          since <Since at={cause.firstSeen} />
          {shownEvent === cause.event.id ? (
            ', showing the newest. '
          ) : shownEvent === undefined ? (
            '. '
          ) : (
            <>
              .{' '}
              <Link from="/issues/$issue" to="." search={(before) => ({ ...before, event: cause.event.id })}>
                Show the newest
              </Link>
              .{' '}
            </>
          )}
        </span>
        <NarrowByTime scope={scope} onChange={(next) => void narrow(next)} />
        {others > 0 && (
          <Link to="/find" search={{ q: digest }}>
            {plural(others, 'other issue')} with this digest
          </Link>
        )}
      </p>
      <FailingLine frame={cause.frame} />
      <Seen answer={answer} shortId={shortId} releases={cause.releases} />
    </section>
  );
}

/** On a narrow screen the stack trace is below the fold; the line that threw is not. */
function FailingLine({ frame }: { readonly frame: Cause['frame'] }) {
  const line = frame?.context.find(([number]) => number === frame.lineNo)?.[1].trim();
  if (!frame || !line) return null;
  return (
    <p className={styles.failing}>
      <span>
        {frameFunction(frame)} in {frameLocation(frame)}
      </span>
      <code>{line.slice(0, 300)}</code>
    </p>
  );
}

function causeIn(answer: FindAnswer | undefined, shortId: string): Cause | undefined {
  return answer?.kind === 'cause' ? answer.causes.find(({ issue }) => issue.shortId === shortId) : undefined;
}

/** Why the strip has no numbers for this issue. */
function missing(kind: FindAnswer['kind'], narrowed: boolean): string {
  if (kind === 'cause') return 'the server events with it belong to other issues';
  if (kind === 'browser_only') return 'the server did not report it';
  return `no server event with it${narrowed ? ' in this time' : ' yet'}`;
}

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
  const facts = [
    releases.length > 0 && `in ${releases.slice(0, 3).join(', ')}${releases.length > 3 ? ' and older' : ''}`,
    `shown by ${plural(shown.count, 'browser event')}`,
    traces.length > 0 && plural(traces.length, 'trace'),
  ].filter(Boolean);
  if (shown.newest.length === 0 && traces.length === 0)
    return releases.length > 0 && <p className={styles.facts}>{facts[0]}</p>;
  return (
    <details className={styles.more}>
      <summary>{facts.join(' · ')}</summary>
      <div className={styles.lists}>
        {shown.newest.length > 0 && <FoundEvents label="Shown in the browser" events={shown.newest} issue={shortId} />}
        {traces.length > 0 && <FoundTraces traces={traces} />}
      </div>
    </details>
  );
}

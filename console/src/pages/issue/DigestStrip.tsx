import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FoundEvents, FoundTraces } from '../../features/find/FoundEvents.tsx';
import { NarrowByTime } from '../../features/find/NarrowByTime.tsx';
import { digestOfFilter, narrowed } from '../../features/find/places.ts';
import { findQuery, type FindAnswer, type FindScope } from '../../features/find/queries.ts';
import { Since } from '../../features/find/Since.tsx';
import { visitsText } from '../../features/find/words.ts';
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
  const { data: answer } = useQuery(findQuery(useOrg(), digest, scope));
  const cause = answer?.kind === 'cause' ? answer.causes.find(({ issue }) => issue.shortId === shortId) : undefined;
  if (!answer || answer.kind !== 'cause' || !cause)
    return (
      <section className={styles.strip} aria-label={`Digest ${digest}`}>
        <p className={styles.line}>
          <span>
            Digest <strong>{digest}</strong>
            {answer && `: ${missing(answer.kind, Object.keys(scope).length > 0)}.`}
          </span>
          {answer?.kind === 'nothing' && <NarrowByTime scope={scope} onChange={narrow} />}
          {answer?.kind === 'cause' && (
            <Link to="/find" search={{ q: digest }}>
              Show them
            </Link>
          )}
        </p>
      </section>
    );
  const others = answer.causes.length - 1 + answer.more;
  function narrow(next: FindScope): void {
    void navigate({ search: (before) => ({ ...before, q: narrowed(filter, next), event: 'latest' }) });
  }

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
        <NarrowByTime scope={scope} onChange={narrow} />
        {others > 0 && (
          <Link to="/find" search={{ q: digest }}>
            {plural(others, 'other issue')} with this digest
          </Link>
        )}
      </p>
      <Seen answer={answer} releases={cause.releases} />
    </section>
  );
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
  releases,
}: {
  readonly answer: Extract<FindAnswer, { kind: 'cause' }>;
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
        {shown.newest.length > 0 && <FoundEvents label="Shown in the browser" events={shown.newest} />}
        {traces.length > 0 && <FoundTraces traces={traces} />}
      </div>
    </details>
  );
}

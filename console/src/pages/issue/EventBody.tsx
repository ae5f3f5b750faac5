import { entryOf, shownExceptions } from '../../features/event/entries.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import * as m from '../../messages/issue.ts';
import { lazily } from '../../ui/lazily.tsx';
import styles from './IssuePage.module.css';

// Below the fold: fetched once the line that threw is on the screen.
const Details = lazily(async () => (await import('./EventDetails.tsx')).EventDetails);
const Beside = lazily(async () => (await import('./Beside.tsx')).Beside);
// On its way while the event is asked for.
Beside.preload();

const Message = lazily(async () => (await import('./Message.tsx')).Message);
const Problem = lazily(async () => (await import('../../features/problem/Problem.tsx')).Problem);
const AfterStack = lazily(async () => (await import('./AfterStack.tsx')).AfterStack);
const UnresolvedFrames = lazily(
  async () => (await import('./UnresolvedFrames.tsx')).UnresolvedFrames,
  <div className={styles.unresolvedSpace} />,
);

/**
 * The event on the left, the line first; the issue on the right: for whom, by whom, what is said of it. In one column the
 * line comes first, then the issue, then the rest of the event.
 */
export function EventBody({
  issue,
  event,
  filter,
}: {
  readonly issue: IssueDetail;
  readonly event: Event;
  readonly filter: string;
}) {
  const message = entryOf(event, 'message');
  const csp = entryOf(event, 'csp');
  const unresolved = shownExceptions(event).some(({ stacktrace }) =>
    stacktrace?.frames.some(({ data }) => data?.['unresolved']),
  );
  return (
    <div className={styles.body}>
      <div className={styles.first}>
        {message && <Message event={event} title={issue.title} />}
        {unresolved && <UnresolvedFrames issue={issue} event={event} />}
        <Exceptions event={event} headline={issue.metadata} />
        {issue.issueCategory === 'performance' && <Problem event={event} />}
        {(csp || event.errors.length > 0) && <AfterStack report={csp} errors={event.errors} />}
      </div>
      <aside className={styles.side} aria-label={m.side}>
        <Beside issue={issue} event={event} filter={filter} />
      </aside>
      <div className={styles.rest}>
        <Details issue={issue} event={event} />
      </div>
    </div>
  );
}

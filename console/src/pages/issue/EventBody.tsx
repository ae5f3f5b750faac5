import { entryOf, shownExceptions } from '../../features/event/entries.ts';
import { LongText } from '../../features/event/LongText.tsx';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import * as m from '../../messages/issue.ts';
import { lazily } from '../../ui/lazily.tsx';
import { Panel } from '../../ui/Panel.tsx';
import styles from './IssuePage.module.css';

// Below the fold: fetched once the line that threw is on the screen.
const Details = lazily(async () => (await import('./EventDetails.tsx')).EventDetails);
const Beside = lazily(async () => (await import('./Beside.tsx')).Beside);
// On its way while the event is asked for.
Beside.preload();

const Problem = lazily(async () => (await import('../../features/problem/Problem.tsx')).Problem);
const Report = lazily(async () => (await import('./Report.tsx')).Report);
const ProcessingNotes = lazily(async () => (await import('./ProcessingNotes.tsx')).ProcessingNotes);
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
        {message && message.formatted !== event.title && (
          <Panel title={m.message} id="message">
            <LongText label={m.message} text={message.formatted} />
          </Panel>
        )}
        {unresolved && <UnresolvedFrames issue={issue} event={event} />}
        <Exceptions event={event} headline={issue.metadata} />
        {issue.issueCategory === 'performance' && <Problem event={event} />}
        {csp && <Report report={csp} />}
        {event.errors.length > 0 && <ProcessingNotes errors={event.errors} />}
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

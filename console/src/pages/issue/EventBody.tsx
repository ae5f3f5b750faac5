import { lazy, Suspense } from 'react';
import { entryOf, shownExceptions } from '../../features/event/entries.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import { Highlights } from './Highlights.tsx';
import styles from './IssuePage.module.css';
import { Panel } from '../../ui/Panel.tsx';

// Below the fold: fetched once the line that threw is on the screen.
const Details = lazy(() => import('./EventDetails.tsx').then((module) => ({ default: module.EventDetails })));
const loadBeside = () => import('./Beside.tsx');
const Beside = lazy(() => loadBeside().then((module) => ({ default: module.Beside })));
// On its way while the event is asked for.
void loadBeside().catch(() => undefined);

const Problem = lazy(() =>
  import('../../features/problem/Problem.tsx').then((module) => ({ default: module.Problem })),
);
const Report = lazy(() => import('./Report.tsx').then((module) => ({ default: module.Report })));
const ProcessingNotes = lazy(() =>
  import('./ProcessingNotes.tsx').then((module) => ({ default: module.ProcessingNotes })),
);
const UnresolvedFrames = lazy(() =>
  import('./UnresolvedFrames.tsx').then((module) => ({ default: module.UnresolvedFrames })),
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
          <Panel title="Message" id="message">
            <pre className={styles.message}>{message.formatted}</pre>
          </Panel>
        )}
        {unresolved && (
          <Suspense fallback={<div className={styles.unresolvedSpace} />}>
            <UnresolvedFrames issue={issue} event={event} />
          </Suspense>
        )}
        <Exceptions event={event} headline={issue.metadata} />
        <Suspense>
          {issue.issueCategory === 'performance' && <Problem event={event} />}
          {csp && <Report report={csp} />}
          {event.errors.length > 0 && <ProcessingNotes errors={event.errors} />}
        </Suspense>
      </div>
      <aside className={styles.side} aria-label="For whom">
        <Highlights event={event} filter={filter} />
        <Suspense>
          <Beside issue={issue} filter={filter} />
        </Suspense>
      </aside>
      <div className={styles.rest}>
        <Suspense>
          <Details issue={issue} event={event} />
        </Suspense>
      </div>
    </div>
  );
}

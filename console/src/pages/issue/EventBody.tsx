import { lazy, Suspense } from 'react';
import { entryOf } from '../../features/event/entries.ts';
import { KeyValues } from '../../features/event/KeyValues.tsx';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Exceptions } from '../../features/stacktrace/Exceptions.tsx';
import { Highlights } from './Highlights.tsx';
import styles from './IssuePage.module.css';
import { ProcessingNotes } from './ProcessingNotes.tsx';
import { TagSpread } from './TagSpread.tsx';
import { Panel } from './Panel.tsx';

// Below the fold: fetched once the line that threw is on the screen.
const Details = lazy(() => import('./EventDetails.tsx').then((module) => ({ default: module.EventDetails })));

/** The line on the left, for whom on the right, everything else below. */
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
  return (
    <div className={styles.body}>
      <div className={styles.left}>
        {message && message.formatted !== event.title && (
          <Panel title="Message" id="message">
            <pre className={styles.message}>{message.formatted}</pre>
          </Panel>
        )}
        <Exceptions event={event} headline={issue.metadata} />
        {csp && (
          <Panel title="Report" id="csp">
            <KeyValues label="Report" rows={Object.entries(csp).map(([key, value]) => ({ key, value }))} />
          </Panel>
        )}
        <ProcessingNotes errors={event.errors} />
      </div>
      <aside className={styles.right} aria-label="For whom">
        <Highlights event={event} filter={filter} />
        <TagSpread issue={issue} filter={filter} />
      </aside>
      <div className={styles.below}>
        <Suspense>
          <Details issue={issue} event={event} />
        </Suspense>
      </div>
    </div>
  );
}

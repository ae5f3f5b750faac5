import { getRouteApi } from '@tanstack/react-router';
import { FirstIcon, JsonIcon, LastIcon, LinkIcon, NextIcon, PreviousIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import { runCommand, useCommand } from '../../features/commands/commands.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { localTime, utcTime } from '../../ui/relative-time.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './EventBar.module.css';
import { EventFilter } from './EventFilter.tsx';

const JsonDialog = lazy(() => import('./JsonDialog.tsx').then((module) => ({ default: module.JsonDialog })));
const route = getRouteApi('/shell/issues/$issue');

interface Props {
  readonly issue: IssueDetail;
  readonly event: Event | undefined;
  /** What the address asks for: an id, or `recommended` and the like. */
  readonly wanted: string;
  readonly filter: string;
}

/** Which of the issue's events is shown, and the way to the others. */
export function EventBar({ issue, event, wanted, filter }: Props) {
  const navigate = route.useNavigate();
  const [json, setJson] = useState(false);
  const show = (id: string | undefined): void => void navigate({ search: (before) => ({ ...before, event: id }) });
  const older = event?.previousEventID;
  const newer = event?.nextEventID;
  useCommand('issue.older', () => older && show(older), Boolean(older));
  useCommand('issue.newer', () => newer && show(newer), Boolean(newer));

  return (
    <section className={styles.bar} aria-label="Event">
      <div className={styles.walk}>
        <IconButton
          size="small"
          label="Oldest event"
          icon={<FirstIcon size={16} />}
          disabled={!older}
          onClick={() => show('oldest')}
        />
        <IconButton
          size="small"
          label="Older event"
          tip={withKey('Older event', 'issue.older')}
          icon={<PreviousIcon size={16} />}
          disabled={!older}
          onClick={() => show(older ?? undefined)}
        />
        <output className={styles.position}>
          {event?.position && event.total ? `${exactNumber(event.position)} of ${exactNumber(event.total)}` : 'Event'}
        </output>
        <IconButton
          size="small"
          label="Newer event"
          tip={withKey('Newer event', 'issue.newer')}
          icon={<NextIcon size={16} />}
          disabled={!newer}
          onClick={() => show(newer ?? undefined)}
        />
        <IconButton
          size="small"
          label="Newest event"
          icon={<LastIcon size={16} />}
          disabled={!newer}
          onClick={() => show('latest')}
        />
        <Button
          size="small"
          variant="ghost"
          aria-pressed={wanted === 'recommended'}
          tip="Recent and rich in context"
          onClick={() => show(undefined)}
        >
          Recommended
        </Button>
      </div>
      <EventFilter filter={filter} />
      {event && (
        <div className={styles.facts}>
          <span className={styles.time}>
            <Time at={event.dateCreated} />
            <span className={styles.absolute} data-tip={utcTime(Date.parse(event.dateCreated))}>
              {localTime(Date.parse(event.dateCreated))}
            </span>
          </span>
          <span className={styles.id}>
            <code data-tip={event.eventID}>{event.eventID.slice(0, 8)}</code>
            <CopyButton text={event.eventID} label="Copy event id" />
          </span>
          <IconButton
            size="small"
            label="Copy link to this event"
            tip={withKey('Copy link', 'issue.copy-link')}
            icon={<LinkIcon size={14} />}
            onClick={() => runCommand('issue.copy-link')}
          />
          <Button size="small" variant="ghost" icon={<JsonIcon size={14} />} onClick={() => setJson(true)}>
            JSON
          </Button>
        </div>
      )}
      <Suspense>
        {json && event && (
          <JsonDialog project={issue.project.slug} eventId={event.eventID} onClose={() => setJson(false)} />
        )}
      </Suspense>
    </section>
  );
}

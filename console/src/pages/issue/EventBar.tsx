import { getRouteApi } from '@tanstack/react-router';
import { FirstIcon, JsonIcon, LastIcon, LinkIcon, NextIcon, PreviousIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { runCommand, useCommand } from '../../features/commands/commands.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import type { Event } from '../../features/event/types.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { localTime, utcTime } from '../../ui/relative-time.ts';
import { Time } from '../../ui/Time.tsx';
import { lazily } from '../../ui/lazily.tsx';
import * as m from '../../messages/issue.ts';
import styles from './EventBar.module.css';
import { EventFilter } from './EventFilter.tsx';
import { IssueBar } from './IssueBar.tsx';

const JsonDialog = lazily(async () => (await import('./JsonDialog.tsx')).JsonDialog);
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
    <IssueBar label={m.event}>
      <div className={styles.walk}>
        <IconButton
          size="small"
          label={m.oldest}
          icon={<FirstIcon size={16} />}
          disabled={!older}
          onClick={() => show('oldest')}
        />
        <IconButton
          size="small"
          label={m.older}
          tip={withKey(m.older, 'issue.older')}
          icon={<PreviousIcon size={16} />}
          disabled={!older}
          onClick={() => show(older ?? undefined)}
        />
        <output className={styles.position}>
          {event?.position && event.total ? m.position({ position: event.position, total: event.total }) : m.event}
        </output>
        <IconButton
          size="small"
          label={m.newer}
          tip={withKey(m.newer, 'issue.newer')}
          icon={<NextIcon size={16} />}
          disabled={!newer}
          onClick={() => show(newer ?? undefined)}
        />
        <IconButton
          size="small"
          label={m.newest}
          icon={<LastIcon size={16} />}
          disabled={!newer}
          onClick={() => show('latest')}
        />
        <Button
          size="small"
          variant="ghost"
          aria-pressed={wanted === 'recommended'}
          tip={m.recommendedHint}
          onClick={() => show(undefined)}
        >
          {m.recommended}
        </Button>
      </div>
      <EventFilter filter={filter} />
      {event && (
        <div className={styles.about}>
          <span className={styles.time}>
            <Time at={event.dateCreated} />
            <span className={styles.absolute} data-tip={utcTime(Date.parse(event.dateCreated))}>
              {localTime(Date.parse(event.dateCreated))}
            </span>
          </span>
          <span className={styles.id}>
            <code data-tip={event.eventID}>{event.eventID.slice(0, 8)}</code>
            <CopyButton text={event.eventID} label={m.copyEventId} />
          </span>
          <IconButton
            size="small"
            label={m.copyEventLink}
            tip={withKey(m.copyLink, 'issue.copy-link')}
            icon={<LinkIcon size={14} />}
            onClick={() => runCommand('issue.copy-link')}
          />
          <Button size="small" variant="ghost" icon={<JsonIcon size={14} />} onClick={() => setJson(true)}>
            {m.json}
          </Button>
        </div>
      )}
      {json && event && (
        <JsonDialog project={issue.project.slug} eventId={event.eventID} onClose={() => setJson(false)} />
      )}
    </IssueBar>
  );
}

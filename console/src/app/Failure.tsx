import { reloadOnceForStaleChunk } from '@culprit/react';
import { useState } from 'react';
import * as m from '../messages/failed-page.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { describeError, ErrorState } from '../ui/State.tsx';
import styles from './Failure.module.css';
import { reportFailure } from './report.ts';

/** What happened, and all that helps whoever is asked. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  // A part that a deployment took away comes with the page anew.
  const [reloading] = useState(() => reloadOnceForStaleChunk(error));
  const [eventId] = useState(() => (reloading ? undefined : reportFailure(error)));
  if (reloading) return null;
  return (
    <div className={styles.page}>
      <h1>{m.failed}</h1>
      <ErrorState error={error} retry={retry} what={m.somethingWrong} />
      {eventId && <p className={styles.event}>{m.eventId({ id: <code>{eventId}</code> })}</p>}
      <CopyButton text={() => details(error, eventId)} label={m.copyDetails}>
        {m.copyDetails}
      </CopyButton>
    </div>
  );
}

function details(error: unknown, eventId: string | undefined): string {
  const { message, code, digest } = describeError(error);
  return [
    `${m.details.page}: ${location.href}`,
    `${m.details.time}: ${new Date().toISOString()}`,
    `${m.details.error}: ${message}`,
    code && `${m.details.code}: ${code}`,
    digest && `${m.details.digest}: ${digest}`,
    eventId && `${m.details.eventId}: ${eventId}`,
    error instanceof Error ? error.stack : undefined,
  ]
    .filter(Boolean)
    .join('\n');
}

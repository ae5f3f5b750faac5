/** What is to be said of the connection to the server. */
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLiveStatus } from '../features/live/live.ts';
import * as m from '../messages/connection.ts';
import { OfflineIcon } from '../ui/icons.ts';
import { Time } from '../ui/Time.tsx';

const subscribeOnline = (listener: () => void): (() => void) => onlineManager.subscribe(listener);

/** Nothing while all is well: only a lost stream is worth a word. */
export function LiveState() {
  const { status, lostAt } = useLiveStatus();
  if (status !== 'lost') return null;
  return (
    <span data-tip={m.streamLost}>
      <OfflineIcon size={14} /> <span>{m.asOf({ when: <Time at={lostAt} /> })}</span>
    </span>
  );
}

/** The browser has no network at all. */
export function Offline() {
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline());
  if (isOnline) return null;
  return (
    <>
      <OfflineIcon size={14} /> {m.offline}
    </>
  );
}

/**
 * One stream of what just changed for the whole console. States: `connecting` → `open` → `lost` → `open`; the browser
 * reconnects by itself, and whoever listens asks again for what it shows once the stream is back.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Schemas } from '../../api/client.ts';

export type LiveMessage = Schemas['LiveEvent'] | { readonly type: 'reconnected' };
export type LiveStatus = 'connecting' | 'open' | 'lost';

const types: ReadonlySet<string> = new Set<Schemas['LiveEvent']['type']>([
  'events',
  'spans',
  'issues',
  'digest',
  'bulk',
]);

const listeners = new Set<(message: LiveMessage) => void>();
const statusListeners = new Set<() => void>();
let status: LiveStatus = 'connecting';
let lostAt = 0;

function setStatus(next: LiveStatus): void {
  if (next === status) return;
  if (next === 'lost') lostAt = Date.now();
  status = next;
  for (const listener of statusListeners) listener();
}

function publish(message: LiveMessage): void {
  for (const listener of listeners) listener(message);
}

/** Opens the stream; the returned function closes it. */
export function startLive(org: string): () => void {
  let wasLost = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  const open = (): void => {
    source = new EventSource(`/api/0/organizations/${encodeURIComponent(org)}/live/`);
    source.addEventListener('open', () => {
      setStatus('open');
      if (wasLost) publish({ type: 'reconnected' });
      wasLost = false;
    });
    source.addEventListener('error', () => {
      wasLost = true;
      setStatus('lost');
      // After an answer that is no stream the browser gives up; a restarting server is worth another try.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 5000);
    });
    source.addEventListener('message', (event: MessageEvent<string>) => {
      const message = parseLiveMessage(event.data);
      if (message) publish(message);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
    setStatus('connecting');
  };
}

export function parseLiveMessage(text: string): LiveMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
    return typeof value.type === 'string' && types.has(value.type) ? (value as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
}

export function useLive(listener: (message: LiveMessage) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const each = (message: LiveMessage): void => latest.current(message);
    listeners.add(each);
    return () => {
      listeners.delete(each);
    };
  }, []);
}

/** The state of the stream and, while it is lost, since when. */
export function useLiveStatus(): { status: LiveStatus; lostAt: number } {
  const current = useSyncExternalStore(
    (listener) => {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    () => status,
  );
  return { status: current, lostAt };
}

/**
 * One stream of what just changed for the whole console. States: `connecting` → `open` → `lost` → `open`; the browser
 * reconnects by itself, and whoever listens asks again for what it shows once the stream is back.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Schemas } from '../../api/client.ts';

export type LiveMessage = Schemas['LiveEvent'] | { readonly type: 'reconnected' };
export type LiveStatus = 'connecting' | 'open' | 'lost';

const types: ReadonlySet<unknown> = new Set<Schemas['LiveEvent']['type']>([
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
/** By the clock of the page: what is shown may have been asked since then, and has not heard of what changed. */
let deafSince = 0;

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
  let retry = 0;
  let source: EventSource;
  const open = (): void => {
    const lastMs = (performance.now() - deafSince) | 0;
    source = new EventSource(`/api/0/organizations/${encodeURIComponent(org)}/live/?lastMs=${lastMs}`);
    source.addEventListener('open', () => {
      if (status === 'lost') publish({ type: 'reconnected' });
      setStatus('open');
    });
    source.addEventListener('error', () => {
      setStatus('lost');
      // After an answer that is no stream the browser gives up; a restarting server is worth another try.
      if (source.readyState === EventSource.CLOSED) retry = window.setTimeout(open, 5000);
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
    deafSince = performance.now();
  };
}

export function parseLiveMessage(text: string): LiveMessage | undefined {
  try {
    const value = JSON.parse(text) as Partial<LiveMessage> | null;
    return types.has(value?.type) ? (value as LiveMessage) : undefined;
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

/**
 * One stream of what just changed for the whole console. States: `open`, also while it first connects, → `lost` → `open`;
 * the browser reconnects by itself, and whoever listens asks again for what it shows once the stream is back.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Schemas } from '../../api/client.ts';

export type LiveMessage = Schemas['LiveEvent'] | { readonly type: 'reconnected' };
export type LiveStatus = 'open' | 'lost';

const types: readonly Schemas['LiveEvent']['type'][] = ['events', 'spans', 'issues', 'digest', 'bulk'];

const listeners = new Set<(message: LiveMessage) => void>();
const statusListeners = new Set<() => void>();
let status: LiveStatus = 'open';
let lostAt = 0;
/** What is shown may have been asked since then, and has not heard of what changed. */
let deafSince = performance.timeOrigin;

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
    const lastMs = Date.now() - deafSince;
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
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const message = parseLiveMessage(data);
      if (message) publish(message);
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
    deafSince = Date.now();
  };
}

export function parseLiveMessage(text: string): LiveMessage | undefined {
  try {
    const value = JSON.parse(text) as Schemas['LiveEvent'] | null;
    return value && types.includes(value.type) ? value : undefined;
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

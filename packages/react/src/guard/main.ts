/**
 * The guard: a classic script before everything else of a page. Until the app says that it is up, an error that nobody
 * caught ends in the load-failure screen and in a report through the tunnel.
 *
 * Waiting: an error is held, reported and shown; a failed load of a part of the app loads the page again first, once.
 * Up (`ready`): errors are only held. Handed over (`handOver`), before or after that: the SDK reports, and the guard shows
 * what it still has to show.
 */
import { digestOf } from '../digest.ts';
import { reloadOnce } from '../stale-chunk.ts';
import { type Guard, guardName, type HeldError } from './api.ts';
import { buildEnvelope, type Problem } from './envelope.ts';
import { paintScreen } from './screen.ts';

interface Entry extends HeldError, Problem {
  readonly timestampMs: number;
  readonly error: unknown;
  eventId: string | undefined;
}

const maxHeld = 20;

function install({ dsn, tunnel, release, environment }: DOMStringMap): Guard {
  const held: Entry[] = [];
  /** Neither up nor about to go: what fails while the page goes, fails because of that. */
  let waiting = true;
  /** The SDK listens, and reports what it hears. */
  let over = false;
  let unpaint: (() => void) | undefined;

  const hold = (error: unknown, place?: string): Entry | undefined => {
    const known = held.find((entry) => entry.error === error);
    if (known || held.length === maxHeld) return known;
    const entry = { error, timestampMs: Date.now(), eventId: undefined, place };
    held.push(entry);
    return entry;
  };

  const report = (entry: Entry): string | undefined => {
    if (entry.eventId || !dsn) return entry.eventId;
    const surroundings = {
      event_id: newId(),
      release: release || undefined,
      environment: environment || 'production',
      request: {
        url: location.href,
        headers: { 'User-Agent': navigator.userAgent, Referer: document.referrer || undefined },
      },
      tags: { digest: digestOf(entry.error) },
    };
    const meta = document.querySelector<HTMLMetaElement>('meta[name=sentry-trace]');
    try {
      send(tunnel || '/monitoring', buildEnvelope(dsn, entry, surroundings, meta?.content));
      entry.eventId = surroundings.event_id;
    } catch {
      // An error whose own properties throw; the screen comes all the same.
    }
    return entry.eventId;
  };

  const fail = (error: unknown, place?: string): void => {
    const entry = hold(error, place);
    if (!entry || !waiting) return;
    if (reloadOnce(error)) {
      waiting = false;
      return;
    }
    if (!over) report(entry);
    const paint = (): void => {
      if (waiting) unpaint ??= paintScreen(digestOf(error), entry.eventId);
    };
    // What the parser still adds would stand beside the screen.
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', paint);
    else paint();
  };

  const onError = (event: Event): void => {
    const { target } = event;
    if (target instanceof HTMLScriptElement) {
      // Classic scripts from elsewhere are mostly measurement and advertisement, which blockers block.
      const ofApp = target.type === 'module' || (!target.async && target.src.startsWith(`${location.origin}/`));
      if (ofApp) fail(loadError(target.src));
    } else if (event instanceof ErrorEvent) {
      const { error, message, filename, lineno, colno } = event;
      if (/^[a-z-]+-extension:/.test(filename)) return;
      // Scripts from elsewhere hide what happened.
      if (error || filename) fail(error ?? message, lineno ? `${filename}:${lineno}:${colno}` : undefined);
    }
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => fail(reason);
  const onLeave = (): void => {
    waiting = false;
  };
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', onRejection);
  addEventListener('beforeunload', onLeave);

  return {
    ready() {
      waiting = false;
      unpaint?.();
      unpaint = undefined;
    },
    held: () => held.slice(),
    report(error) {
      const entry = hold(error);
      return entry && report(entry);
    },
    handOver() {
      const rest = over ? [] : held.filter(({ eventId }) => !eventId);
      over = true;
      return rest;
    },
  };
}

/** The browser tells which file, never why. */
function loadError(source: string): Error {
  const error = new Error(`Failed to load script ${source.replace(location.origin, '') || 'of an inline module'}`);
  error.name = 'ScriptLoadError';
  return error;
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Outlives the page, and is never waited for. */
function send(url: string, body: string): void {
  // In a page that is being left, what the browser goes on sending has failed for the page all the same.
  const beacon = (): void => void (document.visibilityState === 'hidden' || navigator.sendBeacon(url, body));
  fetch(url, { method: 'POST', body, keepalive: body.length < 60_000 }).catch(beacon);
}

try {
  window[guardName] ??= install(document.currentScript?.dataset ?? {});
} catch {
  // A browser from before all this: the page goes its own way.
}

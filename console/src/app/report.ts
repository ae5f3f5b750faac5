/**
 * The console reports its own failures and page loads to its own server, through `/monitoring` and to nowhere else.
 *
 * Before the SDK is there the guard of index.html reports, and holds what nobody has reported yet. The SDK is loaded after
 * the content, takes over what was held, and reports from then on. Without a DSN from the server neither does.
 */
import { currentGuard } from '@culprit/react';
import type { AnyRouter } from '@tanstack/react-router';
import { afterContent } from './content.ts';
import type * as Sentry from './sentry.ts';

let sdk: typeof Sentry | undefined;
let asked = false;

/** What the server wrote into the guard's tag of index.html. */
const tag = document.querySelector<HTMLScriptElement>('script[data-tunnel]')?.dataset ?? {};

/** Loads the SDK once the page shows its content. `offered`: DSN of the API's answer, for a page that is older than the set-up. */
export function startReporting(router: AnyRouter, offered?: string): void {
  const dsn = tag['dsn'] || offered;
  if (!dsn || asked) return;
  asked = true;
  const start = async (): Promise<void> => {
    const loaded = await import('./sentry.ts');
    loaded.startSdk({ dsn, release: tag['release'], environment: tag['environment'], router });
    sdk = loaded;
  };
  afterContent(() => void start().catch(() => undefined));
  // Who leaves before that takes nothing along: the guard sends what it holds.
  addEventListener('pagehide', () => {
    for (const { error } of (!sdk && currentGuard()?.handOver()) || []) currentGuard()?.report(error);
  });
}

const ids = new WeakMap<object, string>();

/** Reports an error that somebody has been shown; the id of its event, unless reporting is off. Twice the same error is one event. */
export function reportFailure(error: unknown): string | undefined {
  const object = typeof error === 'object' && error !== null ? error : undefined;
  const known = object && ids.get(object);
  if (known) return known;
  const id = sdk ? sdk.capture(error) : currentGuard()?.report(error);
  if (id && object) ids.set(object, id);
  return id;
}

const reported = new Set<string>();

/** Reports a call that the server failed, so that its event can be found from this side. The same failure is one report a visit. */
export function reportServerFailure(error: { readonly status: number; readonly digest: string | undefined }): void {
  const what = `${error.status} ${error.digest}`;
  if (error.status < 500 || reported.has(what)) return;
  reported.add(what);
  reportFailure(error);
}

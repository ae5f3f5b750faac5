// A page whose bugs fail on demand. What it throws may wear the stack of another browser; the SDK reads it as it would there.
import * as Sentry from '@sentry/browser';
import { bugs } from 'bugs';

declare const DSN: string;
declare const RELEASE: string;

export type BrowserName = 'chrome' | 'firefox' | 'safari';

// Chromium refuses a request that is kept alive while 64 kB of such are under way, and one counts until about 100 ms after
// its answer: forty bugs in a second are more than that, and the SDK drops what is refused.
Sentry.init({ dsn: DSN, release: RELEASE, transportOptions: { fetchOptions: { keepalive: false } } });

/** V8's stack as the other two write theirs: no heading, and a name before an @. */
function stackAs(browser: BrowserName, stack: string): string {
  if (browser === 'chrome') return stack;
  const frames = stack.split('\n').flatMap((line) => {
    const [, name = '', place] = /^\s+at (?:(?:async )?(.*?) \()?(.*?:\d+:\d+)\)?$/.exec(line) ?? [];
    return place === undefined ? [] : [[name.replace(/^(?:Object|Array)\./, ''), place] as const];
  });
  return frames
    .map(([name, place]) => `${name || (browser === 'firefox' ? '' : 'global code')}@${place}`)
    .concat(browser === 'safari' ? '[native code]' : [])
    .join('\n');
}

/** Sends what the bug throws; the id of the event. */
async function fail(bug: string, browser: BrowserName): Promise<string> {
  let id = '';
  try {
    bugs[bug]?.({ tries: Math.floor(Math.random() * 1_000) });
  } catch (error) {
    if (error instanceof Error) error.stack = stackAs(browser, error.stack ?? '');
    id = Sentry.captureException(error);
  }
  await Sentry.flush(5_000);
  return id;
}

Object.assign(globalThis, { fail });

// A page whose errors come one after the other, and that says when it is done. `sdk` is aliased when it is bundled.
import * as Sentry from 'sdk';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({ dsn: DSN, release: RELEASE });

async function fail(times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    Sentry.captureException(new Error(`basket ${index} failed`));
    await Sentry.flush(5_000);
  }
  document.title = 'done';
}

void fail(Number(new URLSearchParams(location.search).get('errors')));

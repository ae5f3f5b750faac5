/** The SDK, through the tunnel. Imported first, so that it hears of what the other modules do. */
import { currentGuard, linkDigest } from '@culprit/react';
import * as Sentry from '@sentry/react';

Sentry.init({
  dsn: import.meta.env.VITE_DSN,
  release: import.meta.env.VITE_RELEASE,
  tunnel: '/monitoring',
  // Page loads, navigations, requests and web vitals.
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
  beforeSend(event, hint) {
    return reportedByGuard(hint.originalException) ? null : linkDigest(event, hint);
  },
});

/** Before the app is up the guard reports too, and first: nothing is sent twice. */
function reportedByGuard(error: unknown): boolean {
  return (
    currentGuard()
      ?.held()
      .some((held) => held.error === error && held.eventId) ?? false
  );
}

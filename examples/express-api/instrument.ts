/** Loaded before everything else: `node --import ./instrument.ts server.ts`. */
import { linkDigest } from '@culprit/react/digest';
import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: process.env.DSN,
  release: process.env.RELEASE,
  // fail.ts reports: by then the error has its digest, and the answer needs the id of the one event.
  integrations: [Sentry.expressIntegration({ shouldHandleError: false })],
  beforeSend: linkDigest,
});

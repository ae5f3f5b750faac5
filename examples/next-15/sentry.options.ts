import { linkDigest } from '@culprit/next';

/** For both sides; only the browser adds its tunnel. */
export const sentryOptions = {
  dsn: process.env.NEXT_PUBLIC_SENTRY_DSN,
  tracesSampleRate: 1,
  beforeSend: linkDigest,
};

/** Loaded before everything else: `node --import ./instrument.ts server.ts`. */
import { linkDigest } from '@culprit/react/digest';
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.env.DSN, release: process.env.RELEASE, beforeSend: linkDigest });

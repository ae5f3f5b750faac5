/** The lines that put the digest of the error page into the events, for each framework. */
import type { Evidence } from './queries.ts';

export interface DigestSnippet {
  readonly install: string;
  readonly file: string;
  readonly code: string;
  /** What the lines do not say. */
  readonly note: string;
}

const withHook = (sdk: string, from: string): string => `import * as Sentry from '${sdk}';
import { linkDigest } from '${from}';

Sentry.init({
  // … as before
  beforeSend: linkDigest,
});`;

const handler = (sdk: string, type: string): string => `import * as Sentry from '${sdk}';
import { digestFor } from '@culprit/react/digest';

export const handleError: ${type} = (error, { request }) => {
  if (request.signal.aborted) return;
  const digest = digestFor(error);
  Sentry.captureException(error, { tags: { digest } });
};`;

export function digestSnippet({ name, bundler }: Pick<Evidence['framework'], 'name' | 'bundler'>): DigestSnippet {
  switch (name) {
    case 'nextjs':
      return {
        install: 'npm install @culprit/next',
        file: 'instrumentation.ts and instrumentation-client.ts',
        code: withHook('@sentry/nextjs', '@culprit/next'),
        note:
          bundler === 'webpack'
            ? 'In every Sentry.init. Built with webpack, the SDK takes the error before Next.js has numbered it; the hook then computes the same number.'
            : 'In every Sentry.init: the number on the error page becomes the tag “digest” of both events.',
      };
    case 'react-router':
    case 'remix':
      return {
        install: 'npm install @culprit/react',
        file: 'app/entry.server.tsx',
        code: handler(
          name === 'remix' ? '@sentry/remix' : '@sentry/react-router',
          name === 'remix'
            ? "import('@remix-run/node').HandleErrorFunction"
            : "import('react-router').HandleErrorFunction",
        ),
        note: 'The framework has no digests: digestFor makes one for the page to show, always the same for the same error.',
      };
    case 'tanstack-start':
    case 'express':
    case 'node':
      return {
        install: 'npm install @culprit/react',
        file: name === 'express' ? 'app.mjs, after the routes' : 'where the server turns an error into an answer',
        code:
          name === 'express'
            ? `import { digestFor } from '@culprit/react/digest';

Sentry.setupExpressErrorHandler(app);
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  response.status(500).set('X-Error-Digest', digestFor(error)).json({ digest: digestFor(error) });
});`
            : `import { digestFor } from '@culprit/react/digest';

const digest = digestFor(error);
Sentry.captureException(error, { tags: { digest } });
return Response.json({ digest }, { status: 500, headers: { 'X-Error-Digest': digest } });`,
        note:
          name === 'express'
            ? 'And in Sentry.init: beforeSend, with linkDigest of @culprit/react/digest.'
            : 'The screen shows the number, and the event carries it.',
      };
    case 'react':
      return {
        install: 'npm install @culprit/react',
        file: 'where Sentry.init is called',
        code: withHook('@sentry/react', '@culprit/react/digest'),
        note: 'In the browser and, with its own SDK, on the server.',
      };
    default:
      return {
        install: '',
        file: 'where the error is reported',
        code: `Sentry.captureException(error, { tags: { digest } });`,
        note: 'Whatever number the error page shows, sent as the tag “digest”, leads here.',
      };
  }
}

/** The lines that put the digest of the error page into the events, for each framework. */
import * as m from '../../messages/find.ts';
import type { Evidence } from './queries.ts';

export interface DigestSnippet {
  readonly install: string;
  readonly file: string;
  readonly code: string;
  /** How to use the lines. */
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
        file: m.snippetFile.nextjs,
        code: withHook('@sentry/nextjs', '@culprit/next'),
        note: bundler === 'webpack' ? m.snippetNote.webpack : m.snippetNote.nextjs,
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
        note: m.snippetNote.router,
      };
    case 'tanstack-start':
    case 'express':
    case 'node':
      return {
        install: 'npm install @culprit/react',
        file: name === 'express' ? m.snippetFile.express : m.snippetFile.response,
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
        note: name === 'express' ? m.snippetNote.express : m.snippetNote.node,
      };
    case 'react':
      return {
        install: 'npm install @culprit/react',
        file: m.snippetFile.init,
        code: withHook('@sentry/react', '@culprit/react/digest'),
        note: m.snippetNote.react,
      };
    default:
      return {
        install: '',
        file: m.snippetFile.capture,
        code: `Sentry.captureException(error, { tags: { digest } });`,
        note: m.snippetNote.other,
      };
  }
}

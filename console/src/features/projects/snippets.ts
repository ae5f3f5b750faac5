/** What to install and paste for each framework. The snippets are whole files or whole commands, ready to run. */
import * as m from '../../messages/platforms.ts';

export interface SnippetStep {
  readonly title: string;
  /** File to put it in; absent for commands. */
  readonly file?: string;
  readonly language: 'sh' | 'typescript';
  readonly code: string;
}

const options = (dsn: string): string => `  dsn: '${dsn}',
  environment: process.env.NODE_ENV,
  tracesSampleRate: 1.0,`;

const browserOptions = (dsn: string): string => `  dsn: '${dsn}',
  tracesSampleRate: 1.0,
  integrations: [Sentry.browserTracingIntegration()],`;

const install = (name: string): SnippetStep => ({
  title: m.install,
  language: 'sh',
  code: `npm install ${name}`,
});

export function snippets(platform: string, dsn: string): SnippetStep[] {
  switch (platform) {
    case 'opentelemetry':
      return [
        {
          title: m.exporter,
          file: m.serviceEnvironment,
          language: 'sh',
          code: otlpEnvironment(dsn),
        },
        {
          title: m.runOpenTelemetry,
          language: 'sh',
          code: `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node
NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register" node app.mjs`,
        },
        {
          title: m.sendTestSpan,
          language: 'sh',
          code: otlpSnippet(dsn),
        },
      ];
    case 'javascript-nextjs':
      return [
        install('@sentry/nextjs'),
        {
          title: m.initializeServer,
          file: 'instrumentation.ts',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
    dsn: '${dsn}',
    environment: process.env.NODE_ENV,
    tracesSampleRate: 1.0,
  });
  // The digest of the error page leads to this error.
  Sentry.addEventProcessor((event, hint) => {
    const digest = (hint.originalException as { digest?: unknown } | undefined)?.digest;
    if (typeof digest === 'string') event.tags = { ...event.tags, digest };
    return event;
  });
}

export const onRequestError = Sentry.captureRequestError;`,
        },
        {
          title: m.initializeBrowser,
          file: 'instrumentation-client.ts',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/nextjs';

Sentry.init({
  dsn: '${dsn}',
  tracesSampleRate: 1.0,
});

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart;`,
        },
        {
          title: m.testError,
          file: 'app/test-error/page.tsx',
          language: 'typescript',
          code: `export const dynamic = 'force-dynamic';

export default function TestError() {
  throw new Error('Hello, Culprit');
}`,
        },
      ];
    case 'javascript-react':
      return [
        install('@sentry/react'),
        {
          title: m.initialize,
          file: 'src/main.tsx',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/react';
import { createRoot } from 'react-dom/client';
import { App } from './App';

Sentry.init({
${browserOptions(dsn)}
});

createRoot(document.getElementById('root')!, {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />);`,
        },
        {
          title: m.testError,
          language: 'typescript',
          code: `<button onClick={() => { throw new Error('Hello, Culprit'); }}>Break it</button>`,
        },
      ];
    case 'javascript':
      return [
        install('@sentry/browser'),
        {
          title: m.initialize,
          file: 'main.js',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/browser';\n\nSentry.init({\n${browserOptions(dsn)}\n});`,
        },
        {
          title: m.testError,
          language: 'typescript',
          code: `setTimeout(() => { throw new Error('Hello, Culprit'); });`,
        },
      ];
    case 'node-express':
      return [
        install('@sentry/node'),
        {
          title: m.initialize,
          file: 'instrument.mjs',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/node';\n\nSentry.init({\n${options(dsn)}\n});`,
        },
        {
          title: m.errorHandler,
          file: 'app.mjs',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/node';
import express from 'express';

const app = express();

app.get('/test-error', () => {
  throw new Error('Hello, Culprit');
});

Sentry.setupExpressErrorHandler(app);
app.listen(3000);`,
        },
        {
          title: m.runTestError,
          language: 'sh',
          code: `node --import ./instrument.mjs app.mjs &\ncurl http://localhost:3000/test-error`,
        },
      ];
    case 'node':
      return [
        install('@sentry/node'),
        {
          title: m.initialize,
          file: 'instrument.mjs',
          language: 'typescript',
          code: `import * as Sentry from '@sentry/node';\n\nSentry.init({\n${options(dsn)}\n});`,
        },
        {
          title: m.testError,
          language: 'sh',
          code: `node --import ./instrument.mjs -e "throw new Error('Hello, Culprit')"`,
        },
      ];
    default:
      return [
        {
          title: m.sendTestError,
          language: 'sh',
          code: curlSnippet(dsn),
        },
      ];
  }
}

/** The variables that every OpenTelemetry SDK reads. */
function otlpEnvironment(dsn: string): string {
  const { origin, key } = partsOf(dsn);
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20${key}"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_SERVICE_NAME=my-service`;
}

/** One span that took a second until now; the ids are made by the shell. */
function otlpSnippet(dsn: string): string {
  const { origin, key } = partsOf(dsn);
  return `now=$(date +%s)
curl '${origin}/v1/traces' \\
  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\
  -d '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'","name":"Hello, Culprit","kind":2,"startTimeUnixNano":"'$((now-1))'000000000","endTimeUnixNano":"'$now'000000000"}]}]}]}'`;
}

function partsOf(dsn: string): { readonly origin: string; readonly project: string; readonly key: string } {
  const url = URL.canParse(dsn) ? new URL(dsn) : undefined;
  return { origin: url?.origin ?? '', project: url?.pathname.slice(1) ?? '1', key: url?.username ?? '' };
}

/** Any Sentry SDK takes the DSN; this shows that the way is open without one. */
function curlSnippet(dsn: string): string {
  const { origin, project, key } = partsOf(dsn);
  return `curl '${origin}/api/${project}/store/?sentry_key=${key}&sentry_version=7' \\
  -H 'content-type: application/json' \\
  -d '{"level":"error","exception":{"values":[{"type":"Error","value":"Hello, Culprit"}]}}'`;
}

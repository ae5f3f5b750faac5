import * as m from '../../../messages/platforms.ts';
import type { Setup, SetupStep } from './template.ts';

const shared = `  dsn: '‹dsn›',
‹traces›  tracesSampleRate: 1.0,
‹logs›  enableLogs: true,
‹release›  release: 'shop@1.0.0',`;

const serverOptions = shared.replace('\n', `\n  environment: process.env.NODE_ENV,\n`);
const browserOptions = `${shared}\n‹traces›  integrations: [Sentry.browserTracingIntegration()],`;

const install = (name: string): SetupStep => ({ title: m.install, language: 'sh', code: `npm install ${name}` });

const nodeInit: SetupStep = {
  title: m.initialize,
  file: 'instrument.mjs',
  language: 'typescript',
  code: `import * as Sentry from '@sentry/node';\n\nSentry.init({\n${serverOptions}\n});`,
};

export const platforms: Readonly<Record<string, Setup>> = {
  'javascript-nextjs': {
    sendsSessions: true,
    steps: [
      install('@sentry/nextjs'),
      {
        title: m.initializeServer,
        file: 'instrumentation.ts',
        language: 'typescript',
        code: `import * as Sentry from '@sentry/nextjs';

export function register() {
  Sentry.init({
${serverOptions.replaceAll(/^(‹\w+›)? {2}/gm, '$1    ')}
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
${shared}
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
    ],
  },
  'javascript-react': {
    sendsSessions: true,
    isBrowser: true,
    steps: [
      install('@sentry/react'),
      {
        title: m.initialize,
        file: 'src/main.tsx',
        language: 'typescript',
        code: `import * as Sentry from '@sentry/react';
import { createRoot } from 'react-dom/client';
import { App } from './App';

Sentry.init({
${browserOptions}
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
    ],
  },
  javascript: {
    sendsSessions: true,
    isBrowser: true,
    steps: [
      install('@sentry/browser'),
      {
        title: m.initialize,
        file: 'main.js',
        language: 'typescript',
        code: `import * as Sentry from '@sentry/browser';\n\nSentry.init({\n${browserOptions}\n});`,
      },
      {
        title: m.testError,
        language: 'typescript',
        code: `setTimeout(() => { throw new Error('Hello, Culprit'); });`,
      },
    ],
  },
  'node-express': {
    sendsSessions: true,
    steps: [
      install('@sentry/node'),
      nodeInit,
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
    ],
  },
  node: {
    sendsSessions: true,
    steps: [
      install('@sentry/node'),
      nodeInit,
      {
        title: m.testError,
        language: 'sh',
        code: `node --import ./instrument.mjs -e "throw new Error('Hello, Culprit')"`,
      },
    ],
  },
};

export const openTelemetry: readonly SetupStep[] = [
  {
    title: m.runOpenTelemetry,
    language: 'sh',
    code: `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node
NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register" node app.mjs`,
  },
];

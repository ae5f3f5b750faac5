// A page that is traced, and loads until its server has answered. `sdk` is aliased to the SDK under test.
import * as Sentry from 'sdk';

declare const DSN: string;
declare const RELEASE: string;

Sentry.init({
  dsn: DSN,
  release: RELEASE,
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
});

const heading = document.createElement('h1');
heading.textContent = 'Everything for tea';
document.body.append(heading);
void fetch('/stock');

export { browserTracingIntegration, captureException, init } from '@sentry/react';

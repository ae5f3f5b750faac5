export { browserTracingIntegration, init } from '@sentry/react';

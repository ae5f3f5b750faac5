declare module 'sdk' {
  export * from '@sentry/react';
}

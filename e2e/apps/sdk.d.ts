declare module 'sdk' {
  export * from '@sentry/react';
}

/** Written where the page is built. */
declare module 'bugs' {
  export const bugs: Record<string, (state: { tries: number }) => unknown>;
}

/**
 * The console reports its own errors and page loads to its own server through `/monitoring`. Loaded after the first
 * paint; not at all when the server names no project for it.
 */
export function startReporting(dsn: string, release: string): void {
  const start = async (): Promise<void> => {
    const { browserTracingIntegration, init } = await import('./sentry.ts');
    init({
      dsn,
      release: `culprit@${release}`,
      tunnel: '/monitoring',
      maxBreadcrumbs: 100,
      tracesSampleRate: 0.2,
      integrations: [browserTracingIntegration({ idleTimeout: 1000, finalTimeout: 30_000, childSpanTimeout: 15_000 })],
    });
  };
  const later = (run: () => void): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 });
    else setTimeout(run, 1000);
  };
  requestAnimationFrame(() => later(() => void start().catch(() => undefined)));
}

/** The DSN that the server offers for the console's own errors, if it does. */
export function consoleDsn(self: object): string | undefined {
  const dsn = (self as { consoleDsn?: unknown }).consoleDsn;
  return typeof dsn === 'string' && dsn !== '' ? dsn : undefined;
}

/** The SDK with what the console sets: loaded late, in a chunk of its own. */
import { currentGuard, type HeldError } from '@culprit/react';
import { linkDigest } from '@culprit/react/digest';
import { captureException, init, tanstackRouterBrowserTracingIntegration, withScope } from '@sentry/react';
import type { AnyRouter } from '@tanstack/react-router';

export interface SdkSetUp {
  readonly dsn: string;
  readonly release: string | undefined;
  readonly environment: string | undefined;
  readonly router: AnyRouter;
}

export function startSdk({ dsn, release, environment, router }: SdkSetUp): void {
  init({
    dsn,
    ...(release && { release }),
    ...(environment && { environment }),
    tunnel: '/monitoring',
    maxBreadcrumbs: 100,
    tracesSampleRate: 0.2,
    integrations: [
      tanstackRouterBrowserTracingIntegration(router, {
        idleTimeout: 1000,
        finalTimeout: 30_000,
        childSpanTimeout: 15_000,
        // The span of the last page ends in the click to the next, which would wait for a hundred files to be noted.
        ignoreResourceSpans: ['resource.script', 'resource.link', 'resource.css'],
      }),
    ],
    beforeSend: linkDigest,
  });
  // From here on the SDK listens; what came before is sent now, each once.
  for (const held of currentGuard()?.handOver() ?? []) sendHeld(held);
}

/** The id of the event. */
export function capture(error: unknown): string {
  return captureException(error, { mechanism: { type: 'culprit.console', handled: false } });
}

function sendHeld({ error, timestampMs }: HeldError): void {
  withScope((scope) => {
    scope.addEventProcessor((event) => ({ ...event, timestamp: timestampMs / 1000 }));
    captureException(error, { mechanism: { type: 'culprit.guard', handled: false } });
  });
}

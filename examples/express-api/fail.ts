/** The last middleware: what went wrong is reported once, and answered with the number under which it can be found. */
import { digestFor } from '@culprit/react/digest';
import { loadFailureHtml } from '@culprit/react/html';
import * as Sentry from '@sentry/node';
import type { ErrorRequestHandler } from 'express';

export const fail: ErrorRequestHandler = (error, request, response, next) => {
  // The fault of whoever asked (a body that is no JSON, for instance), or too late to say anything.
  if (response.headersSent || statusOf(error) < 500) {
    next(error);
    return;
  }
  const digest = digestFor(error);
  const eventId = Sentry.captureException(error, { mechanism: { handled: false, type: 'middleware' } });
  console.error(digest, error);
  response.status(500).set('x-error-digest', digest);
  if (request.accepts(['json', 'html']) === 'html') {
    response.send(loadFailureHtml({ host: request.host, digest, eventId }));
  } else {
    response.type('application/problem+json').send({ title: 'Internal Server Error', status: 500, digest, eventId });
  }
};

function statusOf(error: unknown): number {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : 500;
}

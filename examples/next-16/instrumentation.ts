import { init } from '@sentry/nextjs';
import { sentryOptions } from './sentry.options';

export function register() {
  init(sentryOptions);
}

export { captureRequestError as onRequestError } from '@sentry/nextjs';

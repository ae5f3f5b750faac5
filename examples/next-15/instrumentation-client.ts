import { init } from '@sentry/nextjs';
import { sentryOptions } from './sentry.options';

init({ ...sentryOptions, tunnel: '/monitoring' });

export { captureRouterTransitionStart as onRouterTransitionStart } from '@sentry/nextjs';

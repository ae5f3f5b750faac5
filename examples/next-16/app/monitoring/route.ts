import { tunnelRoute } from '@culprit/tunnel/next';

export const POST = tunnelRoute({ dsns: [process.env.NEXT_PUBLIC_SENTRY_DSN] });

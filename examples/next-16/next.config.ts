import { withSentryConfig } from '@sentry/nextjs/config';
import type { NextConfig } from 'next';

const config: NextConfig = {};

export default withSentryConfig(config, { silent: true, telemetry: false, sourcemaps: { disable: true } });

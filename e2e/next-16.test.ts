/** Next.js 16 with Turbopack: what each failure shows leads to its cause. */
import { nextSuite } from './next-suite.ts';

nextSuite('next-16', {
  mechanism: 'on_request_error',
  server: (_host, digest) =>
    `This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR ${digest}`,
  client: () => 'This page couldn’t load\nReload to try again, or go back.\nReload\nBack',
});

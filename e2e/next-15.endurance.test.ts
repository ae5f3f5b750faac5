/** Next.js 15 with webpack, where the SDK takes the server's event before the digest is made: the same cases. */
import { nextSuite } from './next-suite.ts';

nextSuite('next-15', {
  // Its wrapper around components is faster than the hook of Next.js, which comes after the digest.
  mechanism: 'server_component',
  server: (host, digest) =>
    `Application error: a server-side exception has occurred while loading ${host} (see the server logs for more information).\nDigest: ${digest}`,
  client: (host) =>
    `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`,
});

/** For Next.js: a route handler, or a part of its proxy (middleware before version 16). */
import { isTunnelPath, readOptions, type Settings, type TunnelOptions } from './options.ts';
import { respond } from './tunnel.ts';

export { handleTunnel } from './tunnel.ts';
export type { TunnelOptions } from './options.ts';

/** In `app/monitoring/route.ts`: `export const POST = tunnelRoute({ dsns: [process.env.DSN] })`. */
export function tunnelRoute(options: TunnelOptions): (request: Request) => Promise<Response> {
  const settings = later(options);
  return (request) => respond(request, settings());
}

/**
 * In `proxy.ts`: `const tunnel = tunnelProxy({ dsns: [process.env.DSN] })`, then
 * `return (await tunnel(request)) ?? NextResponse.next()`. Undefined: the request is not for the tunnel.
 */
export function tunnelProxy(options: TunnelOptions): (request: Request) => Promise<Response | undefined> {
  const settings = later(options);
  return async (request) => {
    if (request.method !== 'POST' || !isTunnelPath(settings(), new URL(request.url).pathname)) return undefined;
    return respond(request, settings());
  };
}

/** Read at the first request: while Next.js builds, the environment need not be that of the server. */
function later(options: TunnelOptions): () => Settings {
  let settings: Settings | undefined;
  return () => (settings ??= readOptions(options));
}

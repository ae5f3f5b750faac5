/** For Next.js: a route handler, or a part of its proxy (middleware before version 16). */
import { isTunnelPath, readOptions, type Settings, type TunnelOptions } from './options.ts';
import { handleTunnel, respond } from './tunnel.ts';

export { handleTunnel } from './tunnel.ts';
export type { TunnelOptions } from './options.ts';

/** In `app/monitoring/route.ts`: `export const POST = tunnelRoute({ dsns: [process.env.DSN] })`. */
export function tunnelRoute(options: TunnelOptions): (request: Request) => Promise<Response> {
  return (request) => handleTunnel(request, options);
}

/**
 * In `proxy.ts`: `const tunnel = tunnelProxy({ dsns: [process.env.DSN] })`, then
 * `return (await tunnel(request)) ?? NextResponse.next()`. Undefined: the request is not for the tunnel.
 */
export function tunnelProxy(options: TunnelOptions): (request: Request) => Promise<Response | undefined> {
  let settings: Settings | undefined;
  return async (request) => {
    // Read at the first request: while Next.js builds, the environment need not hold the DSN yet.
    settings ??= readOptions(options);
    if (request.method !== 'POST' || !isTunnelPath(settings, new URL(request.url).pathname)) return undefined;
    return respond(request, settings);
  };
}

/** For Hono, on any runtime. */
import { isTunnelPath, readOptions, type TunnelOptions } from './options.ts';
import { respond } from './tunnel.ts';

export type { TunnelOptions } from './options.ts';

interface Context {
  readonly req: { readonly raw: Request; readonly path: string };
  readonly env: unknown;
}

/** Middleware; requests for other paths go on: `app.use(tunnel({ dsns: [process.env.DSN] }))`. */
export function tunnel(
  options: TunnelOptions,
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  const settings = readOptions(options);
  return async ({ req, env }, next) => {
    if (req.raw.method !== 'POST' || !isTunnelPath(settings, req.path)) {
      await next();
      return undefined;
    }
    return respond(req.raw, settings, peerOf(env));
  };
}

/** Known where Hono runs on Node: its adapter leaves Node's request there. */
function peerOf(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}

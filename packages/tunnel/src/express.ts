/** For Express and other frameworks with its kind of middleware. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tunnel as takes, type TunnelOptions } from './node.ts';

export type { TunnelOptions } from './options.ts';

/**
 * Middleware; requests for other paths go on. Put it before parsers of bodies:
 *
 *     app.use(tunnel({ dsns: [process.env.DSN] }));
 *     app.use(express.json());
 */
export function tunnel(
  options: TunnelOptions,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const take = takes(options);
  return (request, response, next) => {
    if (!take(request, response)) next();
  };
}

/** For Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { respond } from './node.ts';
import { readOptions, type TunnelOptions } from './options.ts';

export type { TunnelOptions } from './options.ts';

interface Reply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

interface App {
  route(route: {
    method: 'POST';
    url: string;
    onRequest: (request: { readonly raw: IncomingMessage }, reply: Reply) => Promise<void>;
    handler: () => void;
  }): unknown;
}

/** A plugin: `await app.register(tunnel, { dsns: [process.env.DSN] })`. */
export function tunnel(app: App, options: TunnelOptions, done: () => void): void {
  const settings = readOptions(options);
  for (const path of settings.paths) {
    for (const url of [path, `${path}/`]) {
      // Answered in the hook: before the handler, Fastify would read the body with a parser that it chooses by type.
      const onRequest = async (request: { readonly raw: IncomingMessage }, reply: Reply): Promise<void> => {
        reply.hijack();
        await respond(request.raw, reply.raw, settings);
      };
      app.route({ method: 'POST', url, onRequest, handler: () => {} });
    }
  }
  done();
}

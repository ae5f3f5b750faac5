/** For `node:http` and everything whose requests and responses are Node's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTunnelPath, readOptions, type Settings, type TunnelOptions } from './options.ts';
import { relay, type Incoming } from './tunnel.ts';

export type { TunnelOptions } from './options.ts';

/** After a refusal, the rest of a body may go on arriving this long before the connection is cut. */
const lingerMs = 2_000;

/**
 * Gives a function that takes requests for the tunnel and answers them; false when a request is not for it.
 *
 *     const takes = tunnel({ dsns: [process.env.DSN] });
 *     createServer((request, response) => {
 *       if (!takes(request, response)) response.end('hello');
 *     });
 */
export function tunnel(options: TunnelOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const settings = readOptions(options);
  return (request, response) => {
    if (request.method !== 'POST' || !isTunnelPath(settings, pathOf(request))) return false;
    void respond(request, response, settings);
    return true;
  };
}

/** The path as the client sent it, also where a framework has cut off the part under which a handler is mounted. */
function pathOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  const url = request.originalUrl ?? request.url ?? '';
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Answers whatever its path is. */
export async function respond(request: IncomingMessage, response: ServerResponse, settings: Settings): Promise<void> {
  const { status, headers, body } = await relay(incoming(request), settings, request.socket.remoteAddress);
  if (response.destroyed) return;
  const early = !request.complete;
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    ...(early && { connection: 'close' }),
  });
  response.end(body);
  if (!early) return;
  request.resume();
  const cut = setTimeout(() => request.destroy(), lingerMs);
  request.once('close', () => clearTimeout(cut));
}

function incoming(request: IncomingMessage): Incoming {
  return {
    method: request.method ?? '',
    headers: {
      get(name) {
        const value = request.headers[name];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
    },
    body: streamOf(request),
  };
}

/** A body that a parser before us has read is gone: then the stream fails, and so does the request, with 400. */
function streamOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      let open = true;
      const finish = (end: () => void): void => {
        if (open) end();
        open = false;
      };
      if (request.readableEnded) controller.error(new Error('the body has been read before'));
      request.on('data', (chunk: Uint8Array) => {
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 1) <= 0) request.pause();
      });
      request.once('end', () => finish(() => controller.close()));
      request.once('close', () => finish(() => controller.error(new Error('the client went away'))));
      request.once('error', (error) => finish(() => controller.error(error)));
    },
    pull() {
      request.resume();
    },
    cancel() {
      request.removeAllListeners('data');
      request.resume();
    },
  });
}

/** For `node:http` and everything whose requests and responses are Node's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from './answer.ts';
import { post } from './node-post.ts';
import { isTunnelPath, readOptions, type Settings, type TunnelOptions } from './options.ts';
import { relay } from './relay.ts';
import type { Header } from './intake.ts';

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
  return (request.originalUrl ?? request.url ?? '').replace(/[?#].*/s, '');
}

/** Answers whatever its path is. */
export async function respond(request: IncomingMessage, response: ServerResponse, settings: Settings): Promise<void> {
  const answer = await relay(
    {
      method: request.method ?? '',
      header: headerOf(request),
      peer: request.socket.remoteAddress,
      read: (push, timeoutMs) => read(request, push, timeoutMs),
      send: async (url, headers, body, timeoutMs) => {
        const answered = await post(url, headers, body, timeoutMs);
        return { status: answered.statusCode ?? 0, header: headerOf(answered) };
      },
    },
    settings,
  );
  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
  response.end(answer.body);
  if (request.complete) return;
  // Read on, so that a client that is still sending gets to see the answer; but not for ever.
  request.resume();
  const cut = setTimeout(() => request.destroy(), lingerMs);
  request.once('close', () => clearTimeout(cut));
}

/** Node joins what was sent several times, of the headers that are asked for here. */
function headerOf(message: IncomingMessage): Header {
  return (name) => message.headers[name]?.toString();
}

function read(
  request: IncomingMessage,
  push: (chunk: Uint8Array<ArrayBuffer>) => void,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => (): void => {
      clearTimeout(timer);
      request.off('data', onData);
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(error))();
    const onData = (chunk: Uint8Array<ArrayBuffer>): void => {
      try {
        push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const brokenOff = (): void => fail(new Refusal(400));
    const timer = setTimeout(() => fail(new Refusal(408)), timeoutMs);
    // A body that a parser before us has read does not come again.
    if (request.readableEnded || request.destroyed) return brokenOff();
    request.on('data', onData).once('end', end(resolve)).once('close', brokenOff).once('error', brokenOff);
    return undefined;
  });
}

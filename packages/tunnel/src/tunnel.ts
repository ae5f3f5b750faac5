/**
 * The tunnel: takes envelopes that browsers send to a path of the application's own origin, and hands them to the
 * monitor. What may pass is known before it starts (`dsns`), so it is no open relay; what goes on is the body, byte for
 * byte, and of the request's headers only what the monitor needs to tell who sent it.
 */
import { Refusal } from './answer.ts';
import { readOptions, type Settings, type TunnelOptions } from './options.ts';
import { relay, type Edge } from './relay.ts';

export { managedPath } from './managed-path.ts';
export type { TunnelOptions } from './options.ts';

/** Of an answer that nobody reads; a longer one costs its connection. */
const maxAnswerBytes = 64 * 1024;

/**
 * Answers a request with an envelope. Never rejects because of what was sent or because the monitor is away; throws a
 * TypeError when the options cannot be used.
 *
 * `peer`: the address of the other end of the connection, where the server knows it.
 */
export async function handleTunnel(request: Request, options: TunnelOptions, peer?: string): Promise<Response> {
  return respond(request, readOptions(options), peer);
}

/** The same with settings that were read once. */
export async function respond(request: Request, settings: Settings, peer?: string): Promise<Response> {
  const edge: Edge = {
    method: request.method,
    header: (name) => request.headers.get(name),
    peer,
    read: (push, timeoutMs) => read(request, push, timeoutMs),
    send,
  };
  const { status, headers, body } = await relay(edge, settings);
  return new Response(body, { status, headers });
}

async function read(
  { body }: Request,
  push: (chunk: Uint8Array<ArrayBuffer>) => void,
  timeoutMs: number,
): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(408)), timeoutMs);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(brokenOff), tooSlow]);
      if (done) return;
      push(value);
    }
  } finally {
    clearTimeout(timer);
    // What is left of a refused body is dropped; after the end this does nothing.
    reader.cancel().catch(() => {});
  }
}

/** The client went away. */
function brokenOff(): never {
  throw new Refusal(400);
}

const send: Edge['send'] = async (url, headers, body, timeoutMs) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await discard(response);
  return { status: response.status, header: (name) => response.headers.get(name) };
};

/** Read to the end, so that the connection can carry the next envelope. */
async function discard({ body }: Response): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  for (let size = 0; size <= maxAnswerBytes;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.length;
  }
  await reader.cancel();
}

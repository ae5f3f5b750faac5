/**
 * The tunnel: takes envelopes that browsers send to a path of the application's own origin, and hands them to the
 * monitor. What may pass is known before it starts (`dsns`), so it is no open relay; what goes on is the body, byte for
 * byte, and of the request's headers only what the monitor needs to tell who sent it.
 */
import { answer, Refusal, type Answer } from './answer.ts';
import { forward } from './forward.ts';
import { readOptions, type Settings, type TunnelOptions } from './options.ts';
import { receive } from './receive.ts';

export { managedPath } from './managed-path.ts';
export type { TunnelOptions } from './options.ts';

/** The part of a `Request` that is looked at. */
export interface Incoming {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * Answers a request with an envelope. Never rejects because of what was sent or because the monitor is away; throws a
 * TypeError when the options cannot be used.
 *
 * `peer`: the address of the other end of the connection, where the server knows it.
 */
export async function handleTunnel(request: Request, options: TunnelOptions, peer?: string): Promise<Response> {
  const { status, headers, body } = await relay(request, readOptions(options), peer);
  return new Response(body, { status, headers });
}

/** The same for servers that prepare their settings once and have other requests and answers. */
export async function relay(request: Incoming, settings: Settings, peer?: string): Promise<Answer> {
  try {
    const envelope = await receive(request, settings);
    try {
      return await forward(envelope, request, settings, peer);
    } finally {
      envelope.release();
    }
  } catch (error) {
    // The rest of the body is not wanted, and nobody is left to tell when it cannot be dropped.
    if (request.body && !request.body.locked) request.body.cancel().catch(() => {});
    if (error instanceof Refusal) return answer(error.status, error.headers);
    settings.onError(error);
    return answer(502);
  }
}

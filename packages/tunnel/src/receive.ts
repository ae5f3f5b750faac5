/** Reads a body: bounded in bytes, in time and in what all of them hold together; refuses as early as it can. */
import { EnvelopeError, formatDsn, parseDsn, readEnvelopeHeader } from '@culprit/envelope';
import { Refusal } from './answer.ts';
import { firstBytes, isReadable } from './encoding.ts';
import type { Settings } from './options.ts';
import type { Incoming } from './tunnel.ts';

export interface ReceivedEnvelope {
  /** As it came, compressed if it was. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** URL to send to. */
  readonly target: string;
  /** Gives back what the body took of `maxHeldBytes`. */
  release(): void;
}

const newline = 0x0a;
/** The line with the DSN; SDKs write a few hundred bytes. */
const maxHeaderBytes = 64 * 1024;

/** Of all bodies in this process: memory is the process's, not a tunnel's. */
let heldBytes = 0;

/** Throws `Refusal`. */
export async function receive(request: Incoming, settings: Settings): Promise<ReceivedEnvelope> {
  if (request.method !== 'POST') throw new Refusal(405, { allow: 'POST' });
  if (Number(request.headers.get('content-length')) > settings.maxBodyBytes) throw new Refusal(413);
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (!isReadable(encoding)) throw new Refusal(415);
  if (!request.body) throw new Refusal(400);

  const chunks: Uint8Array[] = [];
  let size = 0;
  let target: string | undefined;
  const release = (): void => {
    heldBytes -= size;
    size = 0;
  };
  try {
    for await (const chunk of chunksOf(request.body, settings.bodyTimeoutMs)) {
      chunks.push(chunk);
      size += chunk.length;
      heldBytes += chunk.length;
      if (size > settings.maxBodyBytes) throw new Refusal(413);
      if (heldBytes > settings.maxHeldBytes) throw new Refusal(503, { 'retry-after': '5' });
      // Strangers are shown the door when their first line is in, not after 20 MB.
      if (encoding !== 'identity' || target !== undefined) continue;
      if (chunk.includes(newline)) target = targetOf(joined(chunks, size), settings);
      else if (size > maxHeaderBytes) throw new Refusal(400);
    }
    const body = joined(chunks, size);
    target ??= targetOf(encoding === 'identity' ? body : await firstBytes(body, encoding, maxHeaderBytes), settings);
    return { body, target, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Where the DSN in the first line leads. */
function targetOf(start: Uint8Array, settings: Settings): string {
  let dsn: ReturnType<typeof parseDsn>;
  try {
    dsn = parseDsn(readEnvelopeHeader(start, { maxHeaderBytes }).header['dsn']);
  } catch (error) {
    if (error instanceof EnvelopeError) throw new Refusal(400);
    throw error;
  }
  const target = dsn && settings.targets.get(formatDsn(dsn));
  if (target === undefined) throw new Refusal(403);
  return target;
}

async function* chunksOf(body: ReadableStream<Uint8Array>, timeoutMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(408)), timeoutMs);
  });
  // Told of in the race below, if a read is under way then.
  tooSlow.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(brokenOff), tooSlow]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Also after the end, where it does nothing.
    reader.cancel().catch(() => {});
  }
}

/** The client went away, or its chunks are none. */
function brokenOff(): never {
  throw new Refusal(400);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Reads request bodies as they come over the wire: bounded in bytes, in time and in what all of them hold together. */
import { CodedError } from '../base/errors.ts';
import { eventBody } from '../base/texts/ingest.ts';
import type { ReceivedBody } from './exchange.ts';
import type { Gate } from './gate.ts';

/** Bodies up to here are taken without waiting and decompressed in one go. */
export const smallBodyBytes = 256 * 1024;

/** Two pools, so that a few large uploads never keep the many small ones out. */
export interface BodyPools {
  readonly small: Gate;
  readonly large: Gate;
  /** Uploads that hold of the small pool and are not complete, the oldest first; calling one ends it. */
  readonly arriving: Set<() => void>;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutSeconds: number;
}

/** What a request holds of the pools, until `releaseHeld`. */
export interface HeldBytes {
  small: number;
  large: number;
}

/** The client went away; there is nobody to answer. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted';
  override readonly message = eventBody.clientGone;
}

/**
 * The whole body. Throws BODY_TOO_LARGE, BODY_TIMEOUT, OVERLOADED or `UploadAborted`.
 * What it reserved stands in `held`, also when it throws.
 */
export function readBody(
  request: ReceivedBody,
  limits: BodyLimits,
  pools: BodyPools,
  held: HeldBytes,
): Promise<Buffer> {
  const deadlineMs = Date.now() + limits.timeoutSeconds * 1000;
  const declared = Number(request.headers['content-length'] ?? 0);
  const collected = (): Promise<Buffer> => collect(request, limits, pools, held, deadlineMs);
  if (declared > limits.maxBytes) return Promise.reject(tooLarge(limits));
  return declared > smallBodyBytes ? holdLarge(pools, held, declared, deadlineMs).then(collected) : collected();
}

export function releaseHeld(pools: BodyPools, held: HeldBytes): void {
  if (held.small > 0) pools.small.release(held.small);
  if (held.large > 0) pools.large.release(held.large);
  held.small = 0;
  held.large = 0;
}

/**
 * A large body reserves all that it may become before more of it is read. Were it to reserve as it grows, many of
 * them could each hold a part and wait for the rest for ever.
 */
async function holdLarge(pools: BodyPools, held: HeldBytes, bytes: number, deadlineMs: number): Promise<void> {
  if (!(await pools.large.take(bytes, deadlineMs - Date.now()))) throw overloaded();
  held.large = bytes;
  if (held.small > 0) pools.small.release(held.small);
  held.small = 0;
}

function collect(
  request: ReceivedBody,
  limits: BodyLimits,
  pools: BodyPools,
  held: HeldBytes,
  deadlineMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let waiting = false;
    let over = false;
    const timer = setTimeout(() => {
      fail(waiting ? overloaded() : new CodedError('BODY_TIMEOUT', [limits.timeoutSeconds]));
    }, deadlineMs - Date.now());

    function detach(): void {
      over = true;
      pools.arriving.delete(giveWay);
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    }
    function fail(error: unknown): void {
      detach();
      // The rest is thrown away as it comes; the answer goes out meanwhile.
      request.resume();
      reject(error);
    }
    function onData(chunk: Buffer): void {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limits.maxBytes) fail(tooLarge(limits));
      else if (held.large > 0) return;
      else if (size > smallBodyBytes) {
        if (waiting) return;
        waiting = true;
        request.pause();
        holdLarge(pools, held, limits.maxBytes, deadlineMs).then(onRoom, fail);
      } else if (takeSmall(chunk.length)) held.small += chunk.length;
      else fail(overloaded());
    }
    function takeSmall(bytes: number): boolean {
      pools.arriving.add(giveWay);
      while (!pools.small.tryTake(bytes)) {
        // The oldest is the slowest. So those who send slowly on purpose cannot keep everyone else out.
        const [oldest] = pools.arriving;
        if (!oldest || oldest === giveWay) return false;
        oldest();
      }
      return true;
    }
    function giveWay(): void {
      releaseHeld(pools, held);
      fail(overloaded());
    }
    function onRoom(): void {
      waiting = false;
      pools.arriving.delete(giveWay);
      // The client may have gone while we waited.
      if (over) releaseHeld(pools, held);
      else request.resume();
    }
    function onEnd(): void {
      detach();
      if (held.large > size) {
        pools.large.release(held.large - size);
        held.large = size;
      }
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    }
    function onClose(): void {
      detach();
      reject(new UploadAborted());
    }
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(limits: BodyLimits): CodedError {
  return new CodedError('BODY_TOO_LARGE', [limits.maxBytes]);
}

function overloaded(): CodedError {
  return new CodedError('OVERLOADED', [], { retryAfter: 5 });
}

/**
 * What is written down sealed: AES-256-GCM under a key for one purpose, bound to the place where it lies.
 *
 * Layout: magic (4 bytes, the last but one is the version of the layout), id of the key (4), nonce (12), what was
 * sealed, tag (16). The context is authenticated and not stored: what is opened elsewhere than where it was sealed does not open.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';

/** All that a box needs, to be sent to another thread. Secret. */
export interface BoxSetup {
  readonly keyId: Uint8Array;
  readonly key: Uint8Array;
}

/** Sealed with another key than ours; or ours, and it is not what was sealed here. */
export type Unopened = 'other key' | 'damaged';

export interface Box {
  /** The parts of what is sealed, one after the other, in memory that `take` gives: new memory unless told. */
  seal(parts: readonly Uint8Array[], context: Uint8Array, take?: (length: number) => Uint8Array): Uint8Array;
  /** The result is its own copy. */
  open(sealed: Uint8Array, context: Uint8Array): Uint8Array | Unopened;
}

// The last byte makes it no length of a head that a log of an earlier version may begin with: that would be 4 GB.
const magic = Buffer.from([0x43, 0x53, 1, 0xff]);
const headLength = magic.length + 4;
const nonceLength = 12;
const tagLength = 16;
const cipher = 'aes-256-gcm';

/** What sealing adds, bytes. */
export const sealedOverhead = headLength + nonceLength + tagLength;

export function sealedLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, sealedOverhead);
}

export function isSealed(bytes: Uint8Array): boolean {
  return bytes.length >= sealedOverhead && magic.every((byte, index) => bytes[index] === byte);
}

export function openBox(setup: BoxSetup): Box {
  const key = createSecretKey(setup.key);
  const head = Buffer.concat([magic, setup.keyId]);
  // Contexts of records are of one length: no request needs memory for its own.
  let authenticated = Buffer.from(head);
  const bound = (context: Uint8Array): Buffer => {
    if (authenticated.length === headLength + context.length) authenticated.set(context, headLength);
    else authenticated = Buffer.concat([head, context]);
    return authenticated;
  };
  // No nonce may come twice under a key: random for each box, and counted in it. Random alone would cost more, and repeat sooner.
  const nonce = Buffer.alloc(nonceLength);
  let count = 2 ** 32;
  const nextNonce = (): Buffer => {
    if (count === 2 ** 32) {
      nonce.set(randomBytes(8));
      count = 0;
    }
    nonce.writeUInt32BE(count++, 8);
    return nonce;
  };
  return {
    seal(parts, context, take = Buffer.allocUnsafeSlow) {
      const sealing = createCipheriv(cipher, key, nextNonce());
      sealing.setAAD(bound(context));
      const sealed = take(sealedLength(parts));
      sealed.set(head);
      sealed.set(nonce, headLength);
      let end = headLength + nonceLength;
      for (const part of parts) {
        sealed.set(sealing.update(part), end);
        end += part.length;
      }
      sealing.final();
      sealed.set(sealing.getAuthTag(), end);
      return sealed;
    },
    open(sealed, context) {
      if (!isSealed(sealed)) return 'damaged';
      if (head.compare(sealed, 0, headLength) !== 0) return 'other key';
      const start = headLength + nonceLength;
      const end = sealed.length - tagLength;
      const opening = createDecipheriv(cipher, key, sealed.subarray(headLength, start), { authTagLength: tagLength });
      opening.setAAD(bound(context));
      opening.setAuthTag(sealed.subarray(end));
      const bytes = opening.update(sealed.subarray(start, end));
      try {
        opening.final();
      } catch {
        return 'damaged';
      }
      return bytes;
    },
  };
}

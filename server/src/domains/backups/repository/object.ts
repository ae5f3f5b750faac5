/**
 * An object as it lies in a repository: a head, then frames. Each frame is compressed and sealed by itself, so that no
 * object is ever held whole, and bound to its number and to whether it is the last, so that none can be moved or left out.
 * Which object it is, its hash says.
 *
 * Head: `CBK1`, flags (1 byte), salt (16). Frame: bytes of what follows (u32, the highest bit of the last one is set), that.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { CodedError } from '../../../base/errors.ts';
import { damage } from '../../../base/texts/backups.ts';
import { type Keys, saltBytes } from './keys.ts';

const magic = Buffer.from('CBK1');
const flag = { compressed: 1, sealed: 2 } as const;
const headBytes = magic.length + 1 + saltBytes;
/** What a frame holds, before it is compressed. */
export const frameBytes = 256 * 1024;
const lastBit = 0x80_00_00_00;
const tagBytes = 16;
const nonceBytes = 12;
const cipher = 'aes-256-gcm';

export interface WriterSetup {
  readonly path: string;
  readonly keys: Keys;
  readonly isCompressed: boolean;
  /** What it is bound to beside its own head. */
  readonly place: string;
}

/** Writes one object, a piece at a time. For a thread that may wait. */
export class ObjectWriter {
  readonly #file: number;
  readonly #isCompressed: boolean;
  readonly #key: KeyObject | undefined;
  readonly #bound: Buffer;
  #frames = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Of the file. */
  bytes = 0;

  constructor({ path, keys, isCompressed, place }: WriterSetup) {
    const salt = keys.isSealed ? randomBytes(saltBytes) : Buffer.alloc(saltBytes);
    const flags = (isCompressed ? flag.compressed : 0) | (keys.isSealed ? flag.sealed : 0);
    const head = Buffer.concat([magic, Buffer.from([flags]), salt]);
    this.#file = openSync(path, 'wx', 0o600);
    this.#isCompressed = isCompressed;
    this.#key = keys.sealing(salt);
    this.#bound = boundTo(head, place);
    this.#put(head);
  }

  write(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      // A full one has waited until it was known that it is not the last.
      if (this.#keptBytes === frameBytes) this.#frame(false);
      const part = piece.subarray(at, at + frameBytes - this.#keptBytes);
      this.#kept.push(Buffer.from(part));
      this.#keptBytes += part.length;
      at += part.length;
    }
  }

  /** On disk from then on. */
  end(): void {
    this.#frame(true);
    fdatasyncSync(this.#file);
    this.close();
  }

  close(): void {
    closeSync(this.#file);
  }

  #frame(isLast: boolean): void {
    const content = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#keptBytes = 0;
    const packed = this.#isCompressed ? zstdCompressSync(content) : content;
    const sealed = this.#key ? seal(this.#key, this.#bound, this.#frames, isLast, packed) : packed;
    this.#frames++;
    const length = Buffer.alloc(4);
    length.writeUInt32LE((sealed.length | (isLast ? lastBit : 0)) >>> 0);
    this.#put(length);
    this.#put(sealed);
  }

  #put(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    this.bytes += bytes.length;
  }
}

/** The frames of an object. Throws `CodedError('BACKUP_DAMAGED')` where it is not what was written. */
export function* readObject({
  path,
  name,
  keys,
  place,
}: Omit<WriterSetup, 'isCompressed'> & {
  /** What people know it by; its path unless given. */
  readonly name?: string;
}): Generator<Buffer, void, void> {
  const file = openSync(path, 'r');
  const damaged = (why: string, cause?: unknown): CodedError =>
    new CodedError('BACKUP_DAMAGED', [name ?? path, why], { cause });
  const take = (length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length;) {
      const read = readSync(file, bytes, at, length - at, null);
      if (read === 0) throw damaged(damage.cut);
      at += read;
    }
    return bytes;
  };
  try {
    const head = take(headBytes);
    const flags = head[magic.length] ?? 0;
    if (!head.subarray(0, magic.length).equals(magic)) throw damaged(damage.foreign);
    if (((flags & flag.sealed) !== 0) !== keys.isSealed) throw damaged(damage.foreign);
    const key = keys.sealing(head.subarray(magic.length + 1));
    const bound = boundTo(head, place);
    for (let number = 0; ; number++) {
      const length = take(4).readUInt32LE();
      const isLast = (length & lastBit) !== 0;
      const bytes = (length & ~lastBit) >>> 0;
      if (bytes > frameBytes * 2) throw damaged(damage.foreign);
      let content = take(bytes);
      try {
        if (key) content = unseal(key, bound, number, isLast, content);
        if (flags & flag.compressed) content = zstdDecompressSync(content, { maxOutputLength: frameBytes });
      } catch (error) {
        throw damaged(damage.changed, error);
      }
      yield content;
      if (isLast) break;
    }
    if (readSync(file, Buffer.alloc(1), 0, 1, null) !== 0) throw damaged(damage.surplus);
  } finally {
    closeSync(file);
  }
}

const boundTo = (head: Buffer, place: string): Buffer => Buffer.concat([head, Buffer.from(`${place}\n`)]);

/** No nonce comes twice under a key: each object has a key of its own. */
function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(number, 8);
  return nonce;
}

function seal(key: KeyObject, bound: Buffer, number: number, isLast: boolean, content: Buffer): Buffer {
  const sealing = createCipheriv(cipher, key, nonceOf(number));
  sealing.setAAD(Buffer.concat([bound, Buffer.from([isLast ? 1 : 0])]));
  const sealed = sealing.update(content);
  sealing.final();
  return Buffer.concat([sealed, sealing.getAuthTag()]);
}

function unseal(key: KeyObject, bound: Buffer, number: number, isLast: boolean, sealed: Buffer): Buffer {
  const opening = createDecipheriv(cipher, key, nonceOf(number), { authTagLength: tagBytes });
  opening.setAAD(Buffer.concat([bound, Buffer.from([isLast ? 1 : 0])]));
  opening.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  const content = opening.update(sealed.subarray(0, sealed.length - tagBytes));
  opening.final();
  return content;
}

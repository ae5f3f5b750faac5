/**
 * Entries of the index as bytes, one after the other, each so that its parts are keys and values as they are stored:
 *
 *     group     project (6), group hash (16)
 *     event     time in ms (6), event id (16), richness + 1 (1)
 *     trace     trace id (16), zeros for none
 *     place     bytes 10 to 16 of the event id (7), segment (6), ordinal (4)
 *     digest    of a hash of the digest (8), zeros for none
 *
 * What is kept of a digest has the hash and the group as its key; time, bytes 9 to 16 of the event id, and trace id as its
 * value. Of a trace: bytes 12 to 16 of its id, and those of the event id that begin a place.
 *
 * Numbers are big endian, so that bytes are in the order of what they stand for. Of an id 7 bytes are as good as all, and
 * of a trace's 5, since whoever reads the payload sees whose it is; the last differ also where somebody counts, or begins
 * ids with the time.
 */
import { createHash } from 'node:crypto';
import type { Place } from '../payloads/payloads.ts';
import { type DigestEvent, endDigits, type GroupEvent, type IndexedEvent } from './event-index.ts';

const projectBytes = 6;
const hashBytes = 16;
const atBytes = 6;
const idBytes = 16;
export const groupBytes = projectBytes + hashBytes;
export const eventBytes = atBytes + idBytes + 1;
const idRestBytes = endDigits / 2;
const idRestAt = idBytes - idRestBytes;
const segmentBytes = 6;
const ordinalBytes = 4;
export const placeBytes = idRestBytes + segmentBytes + ordinalBytes;
const digestBytes = 8;
const idEndBytes = 8;
const idEndAt = idBytes - idEndBytes;
const traceBytes = 16;
export const digestedBytes = atBytes + idEndBytes + traceBytes;
const traceRestBytes = 5;
export const tracedBytes = traceRestBytes + idRestBytes;

const idAt = groupBytes + atBytes;
const traceAt = groupBytes + eventBytes;
const placeAt = traceAt + traceBytes;
const digestAt = placeAt + placeBytes;
const entryBytes = digestAt + digestBytes;
const traceRestAt = placeAt - traceRestBytes;
const mostAt = 2 ** (8 * atBytes);

const isHex = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
const isNumber = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value < most;

export class EntryList {
  #bytes = Buffer.alloc(0);
  count = 0;
  /** Of those that were added, how many cannot be kept: ids and hashes that are no hex, times before 1970. */
  lost = 0;

  add({ projectId, hash, at, id, richness, place, digest, traceId }: IndexedEvent): void {
    const isFit = isHex(hash) && isHex(id) && isNumber(at, mostAt) && isNumber(projectId, 2 ** (8 * projectBytes));
    if (!isFit) this.lost++;
    const start = this.count++ * entryBytes;
    const bytes = this.#room(start + entryBytes);
    bytes.writeUIntBE(isFit ? projectId : 0, start, projectBytes);
    if (!isFit) return;
    bytes.write(hash, start + projectBytes, 'hex');
    bytes.writeUIntBE(at, start + groupBytes, atBytes);
    bytes.write(id, start + idAt, 'hex');
    bytes[start + traceAt - 1] = richness + 1;
    if (isHex(traceId)) bytes.write(traceId, start + traceAt, 'hex');
    bytes.copyWithin(start + placeAt, start + idAt + idRestAt, start + idAt + idRestAt + idRestBytes);
    bytes.writeUIntBE(place.segment, start + placeAt + idRestBytes, segmentBytes);
    bytes.writeUInt32BE(place.ordinal, start + placeAt + idRestBytes + segmentBytes);
    if (digest !== '') hashOf(digest).copy(bytes, start + digestAt);
  }

  /** In memory of its own. `isWanted` is asked by the order in which they were added; `withPlaces`: whether places hold. */
  bytes(isWanted: (index: number) => boolean = () => true, withPlaces = true): Uint8Array<ArrayBuffer> {
    const chosen = new Uint8Array(this.count * entryBytes);
    let end = 0;
    for (let index = 0; index < this.count; index++) {
      const start = index * entryBytes;
      const entry = this.#bytes.subarray(start, start + entryBytes);
      if (projectOf(entry) === 0 || !isWanted(index)) continue;
      chosen.set(entry, end);
      if (!withPlaces) chosen.fill(0, end + placeAt + idRestBytes, end + digestAt);
      end += entryBytes;
    }
    return chosen.slice(0, end);
  }

  #room(bytes: number): Buffer {
    if (bytes > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(bytes, 2 * this.#bytes.length, 64 * entryBytes));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** No project has the number 0. */
const projectOf = (entry: Buffer): number => entry.readUIntBE(0, projectBytes);

/** The parts of an entry, as views. */
export interface Entry {
  readonly projectId: number;
  readonly group: Buffer;
  readonly event: Buffer;
  readonly at: number;
  /** Undefined where it is not known. */
  readonly place: Buffer | undefined;
  /** Undefined of an event that has none. */
  readonly digest: { readonly key: Buffer; readonly value: Buffer } | undefined;
  /** Undefined of an event that has none. */
  readonly trace: Buffer | undefined;
}

export function* readEntries(entries: Uint8Array): Generator<Entry> {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length);
  for (let start = 0; start < bytes.length; start += entryBytes) {
    const placeStart = start + placeAt;
    yield {
      projectId: bytes.readUIntBE(start, projectBytes),
      group: bytes.subarray(start, start + groupBytes),
      event: bytes.subarray(start + groupBytes, start + traceAt),
      at: bytes.readUIntBE(start + groupBytes, atBytes),
      place:
        bytes.readUIntBE(placeStart + idRestBytes, segmentBytes) === 0
          ? undefined
          : bytes.subarray(placeStart, start + digestAt),
      digest: digestOf(bytes.subarray(start, start + entryBytes)),
      trace:
        bytes.readUIntBE(start + traceRestAt, traceRestBytes) === 0
          ? undefined
          : bytes.subarray(start + traceRestAt, placeStart + idRestBytes),
    };
  }
}

function digestOf(entry: Buffer): Entry['digest'] {
  const digest = entry.subarray(digestAt);
  if (digest.readBigUInt64BE() === 0n) return undefined;
  const at = entry.subarray(groupBytes, groupBytes + atBytes);
  const idEnd = entry.subarray(idAt + idEndAt, idAt + idBytes);
  return {
    key: Buffer.concat([digest, entry.subarray(0, groupBytes)]),
    value: Buffer.concat([at, idEnd, entry.subarray(traceAt, placeAt)]),
  };
}

/** Whoever finds something by it compares the text. */
const hashOf = (digest: string): Buffer => createHash('md5').update(digest).digest().subarray(0, digestBytes);

/** What keys of the digest stand between. */
export function digestRange(digest: string): { readonly start: Buffer; readonly end: Buffer } {
  const hash = hashOf(digest);
  return { start: hash, end: Buffer.concat([hash, Buffer.alloc(groupBytes + 1, 255)]) };
}

export const readDigestKey = (key: Buffer): Pick<DigestEvent, 'projectId' | 'hash'> => ({
  projectId: key.readUIntBE(digestBytes, projectBytes),
  hash: key.toString('hex', digestBytes + projectBytes, digestBytes + groupBytes),
});

/** Stands before all events of the time. */
export function digestedFrom(at: number): Buffer {
  const value = Buffer.alloc(digestedBytes);
  value.writeUIntBE(Math.min(Math.max(0, Math.ceil(at)), mostAt - 1), 0, atBytes);
  return value;
}

export function readDigested(value: Buffer): Pick<DigestEvent, 'at' | 'idEnd' | 'traceId'> {
  const traceId = value.toString('hex', atBytes + idEndBytes, digestedBytes);
  return {
    at: value.readUIntBE(0, atBytes),
    idEnd: value.toString('hex', atBytes, atBytes + idEndBytes),
    traceId: traceId === noTrace ? '' : traceId,
  };
}
const noTrace = '0'.repeat(2 * traceBytes);

export function groupKey(projectId: number, hash: string): Buffer {
  const key = Buffer.alloc(groupBytes);
  key.writeUIntBE(projectId, 0, projectBytes);
  key.write(hash, projectBytes, 'hex');
  return key;
}

/** Stands before all events of the time and id. */
export function eventKey({ at, id }: Pick<IndexedEvent, 'at' | 'id'>): Buffer {
  const key = Buffer.alloc(eventBytes);
  key.writeUIntBE(at, 0, atBytes);
  key.write(id, atBytes, 'hex');
  return key;
}

export function readEvent(event: Buffer): Omit<GroupEvent, 'hash'> {
  return {
    at: event.readUIntBE(0, atBytes),
    id: event.toString('hex', atBytes, atBytes + idBytes),
    richness: (event[eventBytes - 1] ?? 1) - 1,
  };
}

/** The shortest of the places of an id, or of its second half. */
export function placesFrom(id: string): Buffer {
  const from = Buffer.alloc(placeBytes);
  from.write(id.slice(-endDigits), 'hex');
  return from;
}

/** Undefined where it is that of another id. */
export function readPlace(place: Buffer, from: Buffer): Place | undefined {
  if (place.compare(from, 0, idRestBytes, 0, idRestBytes) !== 0) return undefined;
  return {
    segment: place.readUIntBE(idRestBytes, segmentBytes),
    ordinal: place.readUInt32BE(idRestBytes + segmentBytes),
  };
}

/** Stands before all events of the trace; undefined of ids that are not kept. */
export function tracedFrom(traceId: string): Buffer | undefined {
  const rest = traceId.slice(-2 * traceRestBytes);
  if (!isHex(traceId) || /^0+$/.test(rest)) return undefined;
  const from = Buffer.alloc(tracedBytes);
  from.write(rest, 'hex');
  return from;
}

/** The end of the event's id; undefined where it is of another trace. */
export const readTraced = (value: Buffer, from: Buffer): string | undefined =>
  value.compare(from, 0, traceRestBytes, 0, traceRestBytes) === 0 ? value.toString('hex', traceRestBytes) : undefined;

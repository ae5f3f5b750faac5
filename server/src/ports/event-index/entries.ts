/**
 * Entries of the index as bytes, one after the other, each so that its parts are keys and values as they are stored:
 *
 *     group     project (6), group hash (16)
 *     event     time in ms (6), event id (16), richness + 1 (1)
 *     place     bytes 9 to 15 of the event id (7), segment (6), ordinal (4)
 *
 * Numbers are big endian, so that bytes are in the order of what they stand for. An event is found by the last byte of its
 * id among the places; 8 bytes of an id are as good as all, since whoever reads the payload sees whose it is, and the last
 * differ also where somebody counts.
 */
import type { Place } from '../payloads/payloads.ts';
import type { IndexedEvent, GroupEvent } from './event-index.ts';

const projectBytes = 6;
const hashBytes = 16;
const atBytes = 6;
const idBytes = 16;
export const groupBytes = projectBytes + hashBytes;
export const eventBytes = atBytes + idBytes + 1;
const idRestAt = 8;
const idRestBytes = 7;
const segmentBytes = 6;
const ordinalBytes = 4;
export const placeBytes = idRestBytes + segmentBytes + ordinalBytes;
const entryBytes = groupBytes + eventBytes + placeBytes;

const idAt = groupBytes + atBytes;
const placeAt = groupBytes + eventBytes;
const mostAt = 2 ** (8 * atBytes);

const isHex = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
const isNumber = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value < most;

export class EntryList {
  #bytes = Buffer.alloc(0);
  count = 0;
  /** Of those that were added, how many cannot be kept: ids and hashes that are no hex, times before 1970. */
  lost = 0;

  add({ projectId, hash, at, id, richness, place }: IndexedEvent): void {
    const isFit = isHex(hash) && isHex(id) && isNumber(at, mostAt) && isNumber(projectId, 2 ** (8 * projectBytes));
    if (!isFit) this.lost++;
    const start = this.count++ * entryBytes;
    const bytes = this.#room(start + entryBytes);
    bytes.writeUIntBE(isFit ? projectId : 0, start, projectBytes);
    if (!isFit) return;
    bytes.write(hash, start + projectBytes, 'hex');
    bytes.writeUIntBE(at, start + groupBytes, atBytes);
    bytes.write(id, start + idAt, 'hex');
    bytes[start + placeAt - 1] = richness + 1;
    bytes.copyWithin(start + placeAt, start + idAt + idRestAt, start + idAt + idRestAt + idRestBytes);
    bytes.writeUIntBE(place.segment, start + placeAt + idRestBytes, segmentBytes);
    bytes.writeUInt32BE(place.ordinal, start + placeAt + idRestBytes + segmentBytes);
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
      if (!withPlaces) chosen.fill(0, end + placeAt + idRestBytes, end + entryBytes);
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
  readonly group: Buffer;
  readonly event: Buffer;
  readonly at: number;
  /** Last byte of the id. */
  readonly idEnd: Buffer;
  /** Undefined where it is not known. */
  readonly place: Buffer | undefined;
}

export function* readEntries(entries: Uint8Array): Generator<Entry> {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length);
  for (let start = 0; start < bytes.length; start += entryBytes) {
    const placeStart = start + placeAt;
    yield {
      group: bytes.subarray(start, start + groupBytes),
      event: bytes.subarray(start + groupBytes, placeStart),
      at: bytes.readUIntBE(start + groupBytes, atBytes),
      idEnd: bytes.subarray(start + idAt + idBytes - 1, start + idAt + idBytes),
      place:
        bytes.readUIntBE(placeStart + idRestBytes, segmentBytes) === 0
          ? undefined
          : bytes.subarray(placeStart, start + entryBytes),
    };
  }
}

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

/** What places of an id stand under, and the shortest of them. */
export function placeKey(id: string): { readonly idEnd: Buffer; readonly from: Buffer } {
  const bytes = Buffer.from(id, 'hex');
  const from = Buffer.alloc(placeBytes);
  bytes.copy(from, 0, idRestAt, idRestAt + idRestBytes);
  return { idEnd: bytes.subarray(idBytes - 1), from };
}

/** Undefined where it is that of another id. */
export function readPlace(place: Buffer, from: Buffer): Place | undefined {
  if (place.compare(from, 0, idRestBytes, 0, idRestBytes) !== 0) return undefined;
  return {
    segment: place.readUIntBE(idRestBytes, segmentBytes),
    ordinal: place.readUInt32BE(idRestBytes + segmentBytes),
  };
}

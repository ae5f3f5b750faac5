/**
 * Objects in a bucket of S3, or of what speaks as it does. Keys are those below the prefix of the address. The client is
 * loaded with the first request: who stores in files never loads it.
 */
import type { S3Address } from './address.ts';

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export type Metadata = Readonly<Record<string, string>>;

/** What is said of an object beside its bytes. */
export interface ObjectHead {
  /** Of the whole object, bytes. */
  readonly size: number;
  /** Changes with the content. */
  readonly etag: string;
  readonly metadata: Metadata;
}

export interface ObjectPart extends ObjectHead {
  readonly bytes: Uint8Array;
}

export interface OpenObject extends ObjectHead {
  /** Goes on where it was when the connection breaks. To be read, or ended with `return`. */
  readonly pieces: AsyncGenerator<Uint8Array, void>;
}

export interface ObjectEntry {
  readonly key: string;
  readonly size: number;
  /** Ms since the epoch. */
  readonly modifiedAt: number;
}

export interface PutCondition {
  /** Only while the object is still the one with this tag. */
  readonly ifMatch?: string;
  /** Only while there is none. */
  readonly ifAbsent?: boolean;
}

/** All throw `CodedError('OBJECTS_UNAVAILABLE')`, which says why and what to do, when the store fails or refuses. */
export interface Objects {
  /** For people; names no secret. */
  readonly place: string;
  /** Durable when it resolves; false when the condition does not hold. */
  put(key: string, bytes: Uint8Array, options?: PutCondition & { readonly metadata?: Metadata }): Promise<boolean>;
  /** In parts, of which few are in memory at a time. When the pieces throw, what stood there stays, and that is thrown on. */
  putStream(key: string, pieces: Pieces, metadata?: Metadata): Promise<void>;
  head(key: string): Promise<ObjectHead | undefined>;
  get(key: string): Promise<ObjectPart | undefined>;
  /** Up to so many bytes from `start` on, or the last ones where `start` is negative; none past the end. */
  range(key: string, start: number, length: number): Promise<ObjectPart | undefined>;
  open(key: string, start?: number): Promise<OpenObject | undefined>;
  delete(keys: readonly string[]): Promise<void>;
  /** In the order of their names. */
  list(prefix: string): AsyncGenerator<ObjectEntry, void>;
  /** What stands between the prefix and the next `/`. */
  folders(prefix: string): Promise<string[]>;
  /** Ends uploads in parts that began before `before` and were never finished, ms since the epoch. */
  abortUploads(before: number): Promise<void>;
  /** Whether the bucket answers. */
  ready(): Promise<void>;
  /** How far its clock is ahead of ours, ms; undefined where it does not say. */
  clockAhead(): Promise<number | undefined>;
}

export function createObjects(address: S3Address): Objects {
  let loaded: Promise<Objects> | undefined;
  const client = (): Promise<Objects> =>
    (loaded ??= import('./client.ts').then(({ connectObjects }) => connectObjects(address)));
  return {
    place: address.place,
    put: async (...args) => (await client()).put(...args),
    putStream: async (...args) => (await client()).putStream(...args),
    head: async (...args) => (await client()).head(...args),
    get: async (...args) => (await client()).get(...args),
    range: async (...args) => (await client()).range(...args),
    open: async (...args) => (await client()).open(...args),
    delete: async (...args) => (await client()).delete(...args),
    async *list(prefix) {
      yield* (await client()).list(prefix);
    },
    folders: async (...args) => (await client()).folders(...args),
    abortUploads: async (...args) => (await client()).abortUploads(...args),
    ready: async () => (await client()).ready(),
    clockAhead: async () => (await client()).clockAhead(),
  };
}

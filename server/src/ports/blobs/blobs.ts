/**
 * The blobs port: attachments, artifacts and other payloads too large or too binary for the events store. How they lie
 * there, compressed or not, shows in nothing here: every number of bytes is of the content.
 */
export interface Blobs {
  /** Replaces what stood at the key. Durable when it resolves. Keys are `/`-separated safe names; others throw `CodedError('BLOB_KEY_INVALID')`. */
  put(key: string, value: Uint8Array): Promise<void>;
  /**
   * The same for a value that comes in pieces, none of which is held for longer than it takes to write it. Resolves to
   * its bytes. When the pieces throw, what stood at the key stays, and the error is thrown on.
   */
  putStream(
    key: string,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: PutOptions,
  ): Promise<number>;
  /** Undefined when there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** A stream over the value; undefined when there is none. */
  stream(key: string): Promise<NodeJS.ReadableStream | undefined>;
  /** So many bytes from `start` on, fewer where the value ends before that; undefined when there is none. */
  range(key: string, start: number, length: number): Promise<Uint8Array | undefined>;
  delete(key: string): Promise<void>;
  /** Deletes everything whose key starts with the prefix (ends in `/`). */
  deleteAll(prefix: string): Promise<void>;
  /** What stands between the prefix (ends in `/`) and the next `/` of the keys below it; also where all of them were deleted. */
  folders(prefix: string): Promise<string[]>;
  /** All whose key starts with the prefix (ends in `/`, or is ''), in no order. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** A value as it is to be put elsewhere; undefined when there is none. */
  whole(key: string): Promise<WholeBlob | undefined>;
  /** Removes what puts have left that were never finished. */
  tidy(): Promise<void>;
  /** Throws why the place cannot be used just now. */
  ready(): Promise<void>;
}

export interface PutOptions {
  /** Not to be compressed: because it is already, or because parts of it are asked for by `range`. */
  readonly asIs?: boolean;
}

export interface BlobEntry {
  readonly key: string;
  /** As it lies there, compressed or not. */
  readonly bytes: number;
  /** Other when another value stands at the key. */
  readonly version: string;
}

export interface WholeBlob extends Required<PutOptions> {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** The blobs port: attachments, artifacts and other payloads too large or too binary for the events store. */
export interface Blobs {
  /** Replaces what stood at the key. Durable when it resolves. Keys are `/`-separated safe names; others throw `CodedError('BLOB_KEY_INVALID')`. */
  put(key: string, value: Uint8Array): Promise<void>;
  /** Undefined when there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** A stream over the value; undefined when there is none. */
  stream(key: string): Promise<NodeJS.ReadableStream | undefined>;
  delete(key: string): Promise<void>;
  /** Deletes everything whose key starts with the prefix (ends in `/`). */
  deleteAll(prefix: string): Promise<void>;
}

/** Where uploads lie in the blob store. */

/** `checksum` is the SHA-1 of the chunk, hex. */
export const chunkKey = (organizationId: string, checksum: string): string =>
  `artifacts/chunks/${organizationId}/${checksum}`;

/** `checksum` is the SHA-1 of the bundle, hex. */
export const bundleKey = (organizationId: string, checksum: string): string =>
  `artifacts/bundles/${organizationId}/${checksum}`;

/** `hash` is of everything that the lookup file is made from. */
export const lookupKey = (organizationId: string, hash: string): string =>
  `artifacts/lookups/${organizationId}/${hash}`;

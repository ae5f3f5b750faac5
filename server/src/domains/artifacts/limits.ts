/** How much may be uploaded, and how much of it is looked at. Bytes unless said otherwise. */

const mib = 1024 * 1024;

/** Of a chunk before compression. */
export const chunkSize = 8 * mib;
export const chunksPerRequest = 64;
/** Of a request that uploads chunks, as clients are told. */
export const maxRequestSize = 32 * mib;
/** What multipart headers and chunks that compression made larger may add to that. */
export const requestSlack = mib;
/** Of a bundle as uploaded. */
export const maxBundleSize = 2048 * mib;

/** How long chunks wait to be assembled, and lookup files for a bundle that is indexed again, ms. */
export const leftoverMs = 12 * 60 * 60 * 1000;

/** What a bundle may hold; a real one is far below all of these. */
export const bundleLimits = {
  /** Files in it. */
  entries: 50_000,
  manifestBytes: 16 * mib,
  /** Of one file, decompressed. */
  entryBytes: 512 * mib,
  /** Of all files, decompressed. */
  totalBytes: 8192 * mib,
  /** Decompressed bytes per byte of the bundle, of everything beyond `ratioFloorBytes`. Source maps reach about 10. */
  ratio: 200,
  ratioFloorBytes: 64 * mib,
  /** Characters. */
  nameLength: 1024,
} as const;

/** Of a source map, decompressed. */
export const maxMapBytes = 256 * mib;
/** A script beyond this is only read by position, without looking at its text. */
export const maxScriptBytes = 64 * mib;
/** Of source files that lie in a bundle beside their map. */
export const maxSourceBytes = 16 * mib;

/** Of a zip of mappings as old clients send it, and of the mappings in it. */
export const maxMappingZipBytes = 128 * mib;

/** Of one file in a bundle of sources; no frame is in a longer one. */
export const maxBundledSourceBytes = 2 * mib;
export const maxBundledSourcesBytes = 1024 * mib;

/** Heap of the indexing thread. Maps and what is made of them lie outside of it, as bytes. */
export const indexingHeapMb = 256;
/** After which the indexing of one map is given up. */
export const slowestMapMs = 180_000;

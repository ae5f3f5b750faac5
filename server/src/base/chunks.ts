/** Below SQLite's limit on bound parameters. */
const chunkSize = 1_000;

/** Parts of a list, in order, none longer than `size`: as many as a statement takes unless said otherwise. */
export function* chunksOf<T>(values: readonly T[], size = chunkSize): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}

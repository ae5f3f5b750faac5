/** A source map cannot be used. The message says why, in words for whoever uploaded it. */
export class MapError extends Error {
  override readonly name = 'MapError';
}

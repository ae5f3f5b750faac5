const kib = 1024;

/** Larger payloads are blobs, and so is everything that is no text. */
export const maxRowBytes = 64 * kib;
/** Text that is read and scrubbed whole. */
export const maxTextBytes = kib * kib;
/** JSON that is scrubbed by its structure; larger is scrubbed as text. */
export const maxJsonBytes = 16 * kib * kib;

/** Bytes of what others send. */

export const maxResponseBytes = 256 * 1024;
/** Of a form with a response in it: base64, percent-encoded at worst. */
export const maxFormBytes = 600 * 1024;
export const maxMetadataBytes = 1024 * 1024;

/** `@E7` is a code that Next.js appends to its own errors on the way to the browser; what is left is the number in the log. */
const digestPattern = /^(\d{1,32})(?:@E\d{1,10})?$/;

/** The number of a digest without the framework's suffix; nothing for redirects and other signals that live in the same field. */
export function parseDigest(value: unknown): string | undefined {
  return typeof value === 'string' ? digestPattern.exec(value)?.[1] : undefined;
}

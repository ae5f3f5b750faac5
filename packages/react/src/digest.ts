/**
 * Digests: the number that an error page shows and that the event of the same error carries. Next.js makes it as a 32-bit
 * hash of message and stack; the same hash is made here for whatever has none. No React, no DOM.
 */
import { parseDigest } from './parse-digest.ts';
import { read } from './read.ts';

export { parseDigest } from './parse-digest.ts';
export { digestFromResponse, ServerFailure } from './server-failure.ts';

/** The digest that an error brings along. Never throws, whatever was thrown. */
export function digestOf(error: unknown): string | undefined {
  return parseDigest(read(error, 'digest'));
}

/** The digest of Next.js for this error, as decimal digits: over message and stack, or over a thrown string alone. */
export function computeDigest(error: unknown): string {
  return hash(hashedText(error));
}

/** For objects that cannot be written to, so that they keep their digest too. */
const known = new WeakMap<object, string>();

/**
 * The digest of this error, made when there is none, and always the same for the same object: it is written to the error
 * as a property that is not enumerable, where the event of an SDK finds it (see `linkDigest`).
 */
export function digestFor(error: unknown): string {
  const existing = digestOf(error);
  if (existing !== undefined) return existing;
  const key = error as object;
  const digest = known.get(key) ?? computeDigest(error);
  try {
    known.set(key, digest);
    // A signal of the framework (`NEXT_REDIRECT;…`) stays what it is.
    if (!read(error, 'digest')) {
      Object.defineProperty(key, 'digest', { value: digest, enumerable: false, configurable: true, writable: true });
    }
  } catch {
    // No object; or one that is frozen or refuses, and `known` has it.
  }
  return digest;
}

/** How many causes of causes are looked at. */
const maxCauses = 5;

/** The digest of an error, or of what caused it. */
export function digestInCauses(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth <= maxCauses; depth += 1) {
    const digest = digestOf(error) ?? known.get(error as object);
    if (digest !== undefined) return digest;
    error = read(error, 'cause');
  }
  return undefined;
}

/**
 * For `beforeSend` and event processors of the Sentry SDKs on both sides: the digest of the error, or of what caused it,
 * becomes the tag `digest`. Returns the same event.
 */
export function linkDigest<E extends object>(event: E, hint?: { readonly originalException?: unknown }): E {
  const digest = digestInCauses(hint?.originalException);
  if (digest !== undefined) {
    const tagged: { tags?: object } = event;
    tagged.tags = { ...tagged.tags, digest };
  }
  return event;
}

function hashedText(error: unknown): string {
  const message = read(error, 'message');
  if (typeof message !== 'string') return text(error);
  const stack = read(error, 'stack');
  return message + (typeof stack === 'string' ? stack : '');
}

/** From the last UTF-16 unit to the first; 32 bits without sign at the end. */
function hash(text: string): string {
  let value = 5381;
  for (let index = text.length - 1; index >= 0; index -= 1) value = (value * 33) ^ text.charCodeAt(index);
  return String(value >>> 0);
}

/** What was thrown and is no error. */
function text(value: unknown): string {
  try {
    return typeof value === 'object' ? String(JSON.stringify(value)) : String(value);
  } catch {
    return '';
  }
}

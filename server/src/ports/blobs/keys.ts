import { CodedError } from '../../base/errors.ts';

// Names that every file system and every object store takes as they are. A leading dot is kept for our own files.
const name = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const longestKey = 768;

/** Whether it is `/`-separated safe names. */
export const isKey = (key: string): boolean =>
  key.length <= longestKey && key.split('/').every((part) => name.test(part));

/** Throws `CodedError('BLOB_KEY_INVALID')` unless it is. */
export function checkKey(key: string): void {
  if (!isKey(key)) {
    throw new CodedError('BLOB_KEY_INVALID', [key.slice(0, 100)]);
  }
}

/** The same for a prefix, which ends in `/`. The empty prefix, everything, is refused. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new CodedError('BLOB_KEY_INVALID', [prefix.slice(0, 100)]);
  checkKey(prefix.slice(0, -1));
}

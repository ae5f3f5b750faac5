/** Codes for who has lost their app: each works once. Slow hashes of them are kept, all of a set with the same salt. */
import { randomInt } from 'node:crypto';
import { hashLike, hashPassword } from '../passwords/hash.ts';

export const recoveryCodeCount = 10;

/** Without what looks alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 10;

const newCode = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** As it was made, however it was typed; undefined for what cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}

export interface RecoveryCodes {
  /** As they are shown, once. */
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

export async function newRecoveryCodes(): Promise<RecoveryCodes> {
  const plain = Array.from({ length: recoveryCodeCount }, newCode);
  const [first = '', ...others] = plain;
  const hashes = [await hashPassword(first)];
  // One after the other, for sign-ins wait for the same threads.
  for (const code of others) hashes.push(await hashLike(hashes[0] ?? '', code));
  return { codes: plain.map((code) => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`), hashes };
}

/** The one of the hashes that a code has; undefined for a wrong one. */
export async function hashAmong(hashes: readonly string[], code: string): Promise<string | undefined> {
  const [first] = hashes;
  if (first === undefined) return undefined;
  const hash = await hashLike(first, code);
  return hashes.find((one) => one === hash);
}

/** Passwords as they are stored, `salt:key` in hex: what better-auth writes and reads, computed in threads of our own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createHashThreads, type HashJob } from './threads.ts';

/** One for the process, so that its bound holds for all. */
export const threads = createHashThreads();

/** better-auth hands on nothing but the password, so who is no stranger is known by where the call comes from. */
const known = new AsyncLocalStorage<boolean>();

/** What is hashed meanwhile goes first: strangers who fill the queue keep nobody out who signed in here before. */
export function hashFirst<Result>(work: () => Promise<Result>): Promise<Result> {
  return known.run(true, work);
}

const run = (job: HashJob): Promise<string> => threads.run(job, { first: known.getStore() ?? false });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${await run({ password, salt })}`;
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [salt, key] = hash.split(':');
  if (!salt || !key) throw new Error('a stored password is no hash');
  const found = Buffer.from(await run({ password, salt }));
  const expected = Buffer.from(key);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

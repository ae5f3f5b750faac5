/**
 * Passwords as they are stored: `scrypt:ln=15,r=8,p=3:salt:key`, with salt and key in hex, computed in threads of our own.
 * Those of better-auth, `salt:key` alone, are read too, and become these when their owner signs in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createHashThreads, type Cost, type HashJob } from './threads.ts';

/** One for the process, so that its bound holds for all. */
export const threads = createHashThreads();

/** better-auth hands on nothing but the password, so who is no stranger is known by where the call comes from. */
const known = new AsyncLocalStorage<boolean>();

/** What is hashed meanwhile goes first: strangers who fill the queue keep nobody out who signed in here before. */
export function hashFirst<Result>(work: () => Promise<Result>): Promise<Result> {
  return known.run(true, work);
}

const run = (job: HashJob): Promise<string> => threads.run(job, { first: known.getStore() ?? false });

/** Three times the work of the former in the same 32 MiB, as OWASP asks for. */
const current: Cost = { ln: 15, r: 8, p: 3 };
const former: Cost = { ln: 14, r: 16, p: 1 };
/** What the former costs less. */
const rest: Cost = { ln: 15, r: 8, p: 2 };

const costText = ({ ln, r, p }: Cost): string => `ln=${ln},r=${r},p=${p}`;
const prefix = `scrypt:${costText(current)}:`;

export async function hashPassword(password: string, salt = randomBytes(16).toString('hex')): Promise<string> {
  return `${prefix}${salt}:${await run({ password, salt, cost: current })}`;
}

/** As a stored one, with its cost and its salt: the same text where it is of the same. */
export async function hashLike(hash: string, password: string): Promise<string> {
  const { cost, salt, key } = readHash(hash);
  return hash.slice(0, -key.length) + (await run({ password, salt, cost }));
}

/** Whether it should be made anew where the password is at hand. */
export const isOutdated = (hash: string): boolean => !hash.startsWith(prefix);

interface StoredHash {
  readonly cost: Cost;
  readonly salt: string;
  readonly key: string;
}

function readHash(hash: string): StoredHash {
  const named = /^scrypt:ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2}):([0-9a-f]+):([0-9a-f]+)$/.exec(hash);
  if (named) {
    const [, ln, r, p, salt = '', key = ''] = named;
    return { cost: { ln: Number(ln), r: Number(r), p: Number(p) }, salt, key };
  }
  const [salt, key, ...more] = hash.split(':');
  if (!salt || !key || more.length) throw new Error('a stored password is no hash');
  return { cost: former, salt, key };
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const { cost, salt, key } = readHash(hash);
  const found = Buffer.from(await run({ password, salt, cost }));
  // Else a quick answer would tell that somebody has the address: where nobody has it, the current cost is paid.
  if (cost === former) await run({ password, salt, cost: rest });
  const expected = Buffer.from(key);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

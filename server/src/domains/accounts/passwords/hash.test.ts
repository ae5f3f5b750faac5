import { scrypt, scryptSync, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import * as betterAuth from 'better-auth/crypto';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword, isOutdated, threads, verifyPassword } from './hash.ts';
import { hashesAsInLife } from './testing.ts';
import { createHashThreads } from './threads.ts';

test.each(['nonsense', '', 'a:b:c', 'scrypt:ln=15,r=8,p=3:zz:00', 'scrypt:ln=999,r=8,p=3:00:00', 'bcrypt:1:2'])(
  '%j is no hash',
  async (hash) => {
    await expect(verifyPassword({ hash, password: 'x' })).rejects.toThrow('no hash');
  },
);

test('what a hash says that it cost is what is asked of it', async () => {
  const salt = 'ab'.repeat(16);
  const key = scryptSync('phrase', salt, 64, { N: 2 ** 10, r: 8, p: 1 }).toString('hex');
  const hash = `scrypt:ln=10,r=8,p=1:${salt}:${key}`;
  expect(await verifyPassword({ hash, password: 'phrase' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'Phrase' })).toBe(false);
  expect(isOutdated(hash)).toBe(true);
});

test('a password is checked as it was typed: to its end, with its case and its spaces', async () => {
  const password = `${'Long phrases count '.repeat(6)}!`;
  const hash = await hashPassword(password);
  expect(await verifyPassword({ hash, password })).toBe(true);
  for (const other of [password.slice(0, -1), password.toLowerCase(), password.slice(0, 72), ` ${password}`]) {
    expect(await verifyPassword({ hash, password: other })).toBe(false);
  }
});

describe('as in life', () => {
  hashesAsInLife();

  test('a hash names algorithm and cost, of 2^15 rounds, three times over 32 MiB, and has a salt of its own', async () => {
    const [one = '', other = ''] = [await hashPassword('the same phrase'), await hashPassword('the same phrase')];
    const [, salt = '', key] = /^scrypt:ln=15,r=8,p=3:([0-9a-f]{32}):([0-9a-f]{128})$/.exec(one) ?? [];
    expect(other).not.toContain(salt);
    const found = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
    const expected = await found('the same phrase', salt, 64, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 });
    expect(key).toBe(expected.toString('hex'));
  });

  test('hashes of better-auth are read, in the same time, and outdated', async () => {
    const password = 'corréct hörse Å';
    const before = await betterAuth.hashPassword(password);
    expect(before).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect([isOutdated(before), isOutdated(await hashPassword(password))]).toEqual([true, false]);
    const costs = vi.mocked(threads.run).mockClear();
    expect(await verifyPassword({ hash: before, password })).toBe(true);
    expect(await verifyPassword({ hash: before, password: 'another' })).toBe(false);
    const work = costs.mock.calls.map(([{ cost }]) => 2 ** cost.ln * cost.r * cost.p);
    // Each the first time as before, and then the rest of what a hash costs now.
    expect(work).toEqual([2 ** 18, 2 ** 19, 2 ** 18, 2 ** 19]);
  });
});

const cost = { ln: 14, r: 8, p: 1 };

test('two threads at most, a bounded queue, and none when nobody needs them', async () => {
  const own = createHashThreads({ idleMs: 50, maxWaiting: 3 });
  const hashes = Array.from({ length: 7 }, (_, index) => own.run({ password: `p${index}`, salt: 'ab', cost }));
  expect(own.size).toBe(2);
  const settled = await Promise.allSettled(hashes);
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SIGN_IN_BUSY', status: 429, retryAfter: 4 });
  await expect.poll(() => own.size).toBe(0);
  expect(await own.run({ password: 'p', salt: 'ab', cost })).toMatch(/^[0-9a-f]{128}$/);
});

test('who is known goes first, and has room where strangers have none', async () => {
  const own = createHashThreads({ maxWaiting: 12 });
  const done: string[] = [];
  const note = (name: string, first: boolean) =>
    own.run({ password: name, salt: 'ab', cost }, { first }).then(
      () => done.push(name),
      () => done.push(`${name} refused`),
    );
  await Promise.all([...Array.from({ length: 15 }, () => note('stranger', false)), note('known', true)]);
  expect(done[0]).toBe('stranger refused');
  // Its thread may be slower than the other one.
  expect(done.indexOf('known')).toBeLessThan(10);
});

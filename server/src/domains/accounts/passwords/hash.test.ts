import { scryptSync } from 'node:crypto';
import * as betterAuth from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './hash.ts';
import { createHashThreads } from './threads.ts';

test('hashes are those that better-auth made and reads', async () => {
  const password = 'corréct hörse Å';
  const before = await betterAuth.hashPassword(password);
  expect(await verifyPassword({ hash: before, password })).toBe(true);
  expect(await verifyPassword({ hash: before, password: 'another' })).toBe(false);
  const now = await hashPassword(password);
  expect(await betterAuth.verifyPassword({ hash: now, password })).toBe(true);
  await expect(verifyPassword({ hash: 'nonsense', password })).rejects.toThrow('no hash');
});

test('a password is checked as it was typed: to its end, with its case and its spaces', async () => {
  const password = `${'Long phrases count '.repeat(6)}!`;
  const hash = await hashPassword(password);
  expect(await verifyPassword({ hash, password })).toBe(true);
  for (const other of [password.slice(0, -1), password.toLowerCase(), password.slice(0, 72), ` ${password}`]) {
    expect(await verifyPassword({ hash, password: other })).toBe(false);
  }
});

test('a hash costs 32 MiB of memory and has a salt of its own', async () => {
  const hashes = [await hashPassword('the same phrase'), await hashPassword('the same phrase')];
  const [salts, keys] = [0, 1].map((part) => new Set(hashes.map((hash) => hash.split(':')[part])));
  expect([salts?.size, keys?.size]).toEqual([2, 2]);
  const [salt = '', key] = hashes[0]?.split(':') ?? [];
  expect(salt).toMatch(/^[0-9a-f]{32}$/);
  expect(key).toBe(
    scryptSync('the same phrase', salt, 64, { N: 2 ** 14, r: 16, p: 1, maxmem: 2 ** 27 }).toString('hex'),
  );
});

test('two threads at most, a bounded queue, and none when nobody needs them', async () => {
  const threads = createHashThreads({ idleMs: 50, maxWaiting: 3 });
  const hashes = Array.from({ length: 7 }, (_, index) => threads.run({ password: `p${index}`, salt: 'ab' }));
  expect(threads.size).toBe(2);
  const settled = await Promise.allSettled(hashes);
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'SIGN_IN_BUSY', status: 429, retryAfter: 2 });
  await expect.poll(() => threads.size).toBe(0);
  expect(await threads.run({ password: 'p', salt: 'ab' })).toMatch(/^[0-9a-f]{128}$/);
});

test('who is known goes first, and has room where strangers have none', async () => {
  const threads = createHashThreads({ maxWaiting: 3 });
  const done: string[] = [];
  const note = (name: string, first: boolean) =>
    threads.run({ password: name, salt: 'ab' }, { first }).then(
      () => done.push(name),
      () => done.push(`${name} refused`),
    );
  await Promise.all([...Array.from({ length: 6 }, () => note('stranger', false)), note('known', true)]);
  expect(done[0]).toBe('stranger refused');
  expect(done.indexOf('known')).toBeLessThan(6);
});

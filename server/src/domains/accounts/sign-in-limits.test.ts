import { expect, test } from 'vitest';
import { createSignInLimits, placesOf } from './sign-in-limits.ts';
import { createTries } from './tries.ts';

function open({ passwordSetAt = 0 } = {}) {
  const clock = { nowMs: 1_000_000 };
  const limits = createSignInLimits({
    tries: createTries(undefined),
    passwordSetAt: () => Promise.resolve(passwordSetAt),
    now: () => clock.nowMs,
  });
  let addresses = 0;
  const wrong = async (attempt: { email?: string; address?: string; device?: string } = {}): Promise<number> => {
    const { email = 'ada@example.com', address = `198.51.100.${++addresses}`, device } = attempt;
    try {
      await limits.begin({ email, address, device });
      return 0;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SIGN_IN_LIMITED', status: 429 });
      return (error as { retryAfter: number }).retryAfter;
    }
  };
  const times = async (
    count: number,
    attemptAt?: (index: number) => Parameters<typeof wrong>[0],
  ): Promise<number[]> => {
    const waits: number[] = [];
    for (let index = 0; index < count; index++) waits.push(await wrong(attemptAt?.(index)));
    return waits;
  };
  return { limits, clock, wrong, times };
}

test('an account: ten are free, then the pause doubles up to a quarter of an hour, until an hour was quiet', async () => {
  const { clock, wrong, times } = open();
  expect(await times(10)).toEqual(Array.from({ length: 10 }, () => 0));
  const pauses: number[] = [];
  for (let index = 0; index < 7; index++) {
    const seconds = await wrong();
    pauses.push(seconds);
    clock.nowMs += seconds * 1_000;
    expect(await wrong()).toBe(0);
  }
  expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900]);
  clock.nowMs += 3_600_000;
  expect(await times(10)).toEqual(Array.from({ length: 10 }, () => 0));
});

test('a browser that is known has an allowance of its own', async () => {
  const { wrong, times } = open();
  await times(10);
  expect(await wrong()).toBeGreaterThan(0);
  expect(await wrong({ device: 'a' })).toBe(0);
  await times(9, () => ({ device: 'a' }));
  expect(await wrong({ device: 'a' })).toBeGreaterThan(0);
  expect(await wrong({ device: 'b' })).toBe(0);
});

test('what was not wrong is taken back', async () => {
  const { limits, times } = open();
  for (let index = 0; index < 50; index++) {
    const takeBack = await limits.begin({ email: 'ada@example.com', address: '192.0.2.1', device: undefined });
    takeBack();
  }
  expect(await times(10)).toEqual(Array.from({ length: 10 }, () => 0));
});

test('a password that was set since then ends the wait', async () => {
  const { wrong, times } = open({ passwordSetAt: 1_000_001 });
  await times(10);
  expect(await wrong()).toBe(0);
});

test('an address, a /64 and a /48 are limited whatever the accounts', async () => {
  const { clock, wrong, times } = open();
  const email = (index: number): string => `user${index}@example.com`;
  expect((await times(12, (index) => ({ email: email(index), address: '192.0.2.7' }))).filter(Boolean)).toHaveLength(2);
  expect(await wrong({ email: email(50), address: '::ffff:192.0.2.7' })).toBe(60);
  const network = (index: number) => ({ email: email(index), address: `2001:db8:1:1::${index}` });
  expect((await times(12, network)).filter(Boolean)).toHaveLength(2);
  const site = (index: number) => ({ email: email(index), address: `2001:db8:2:${index}::1` });
  expect((await times(24, site)).filter(Boolean)).toHaveLength(4);
  clock.nowMs += 60_000;
  expect(await wrong(site(30))).toBe(0);
});

test.each([
  ['192.0.2.1', '192.0.2.1', undefined],
  ['::ffff:192.0.2.1', '192.0.2.1', undefined],
  ['2001:db8:1:2:3:4:5:6', '8193:3512:1:2/64', '8193:3512:1/48'],
  ['fe80::1%eth0', '65152:0:0:0/64', '65152:0:0/48'],
  [undefined, '', undefined],
])('%s counts as %s', (address, network, site) => {
  expect(placesOf(address)).toEqual({ network, site });
});

/** Codes of apps by the examples of RFC 6238, and what is kept of codes for recovery. */
import { describe, expect, test } from 'vitest';
import { verifyPassword } from '../passwords/hash.ts';
import { hashAmong, newRecoveryCodes, readRecoveryCode, recoveryCodeCount } from './recovery-codes.ts';
import { appAddress, base32, stepOf } from './time-codes.ts';

/** Of its appendix B; six of the eight digits. */
const secret = '12345678901234567890';

describe('a code of an app', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s', (seconds, code) => {
    expect(stepOf(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test('is good for its half minute and one more on each side, and then no more', () => {
    const begins = 1_111_111_080;
    const good = Array.from({ length: 240 }, (_each, second) => second - 120).filter(
      (second) => stepOf(secret, '081804', (begins + second) * 1000) !== undefined,
    );
    expect([good[0], good.at(-1), good.length]).toEqual([-30, 59, 90]);
    for (const wrong of ['', '28708', '2870820', '287 82', '２８７０８２', 'abcdef']) {
      expect([wrong, stepOf(secret, wrong, 59_000)]).toEqual([wrong, undefined]);
    }
  });

  test('is told to the app as it reads it', () => {
    expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(base32('a')).toBe('ME');
    const address = appAddress({ secret, email: 'a+b@example.com', issuer: 'Culprit (x.example:7420)' });
    expect(address).toMatch(/^otpauth:\/\/totp\/Culprit%20\(x\.example%3A7420\):a%2Bb%40example\.com\?secret=GEZD/);
    expect(new URL(address).searchParams.get('issuer')).toBe('Culprit (x.example:7420)');
  });
});

describe('codes for recovery', () => {
  test('are kept as slow hashes with a salt, and are found however they are typed', async () => {
    const { codes, hashes } = await newRecoveryCodes();
    expect([codes.length, hashes.length]).toEqual([recoveryCodeCount, recoveryCodeCount]);
    const [salt] = hashes.map((hash) => /^scrypt:ln=15,r=8,p=3:([0-9a-f]{32}):[0-9a-f]{128}$/.exec(hash)?.[1]);
    expect(salt).toBeDefined();
    const other = await newRecoveryCodes();
    expect(other.hashes[0]).not.toContain(salt);
    const typed = ` ${codes[3]?.toUpperCase().replace('-', ' ')} `;
    const code = readRecoveryCode(typed) ?? '';
    expect(await hashAmong(hashes, code)).toBe(hashes[3]);
    expect(await verifyPassword({ hash: hashes[3] ?? '', password: code })).toBe(true);
    expect(await hashAmong(other.hashes, code)).toBeUndefined();
    expect(await hashAmong([], code)).toBeUndefined();
  }, 60_000);

  test('cannot be guessed: ten letters of thirty-one, none of which looks like another', async () => {
    const { codes } = await newRecoveryCodes();
    for (const code of codes) expect(code).toMatch(/^[a-hj-kmnp-z2-9]{5}-[a-hj-kmnp-z2-9]{5}$/);
    expect(Math.log2(31 ** 10)).toBeGreaterThan(49);
    for (const wrong of ['', 'abcde', 'abcde-fghj1', 'abcde-fghjo', `${'a'.repeat(11)}`]) {
      expect([wrong, readRecoveryCode(wrong)]).toEqual([wrong, undefined]);
    }
  }, 60_000);
});

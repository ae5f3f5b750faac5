import { describe, expect, it } from 'vitest';
import { messageValue } from './parameterize.ts';

describe('messageValue', () => {
  it.each([
    ['bind ::', 'bind <ip>'],
    ['from ::1', 'from <ip>'],
    ['net fd00::/8', 'net <ip>'],
    ['link fe80::2%eth1', 'link <ip>'],
    ['peer ::ffff:10.1.2.3', 'peer <ip>'],
    ['peer 64:ff9b::10.1.2.3', 'peer <ip>'],
    ['peer 1:: left', 'peer <ip> left'],
    ['10.1.2.3:80', '<ip>:<int>'],
    ['Fade::out() and Option::take()', 'Fade::out() and Option::take()'],
    ['12345:6:789', '<int>:<int>:<int>'],
    ['at 20260304 121314+0200', 'at <date>'],
    ['at 20260304T121314-02:00', 'at <date>'],
    ['at 20260304T121314Z', 'at <date>'],
    ['tx0123456789abcdef01234-0123456789-cluster-7 failed', '<swift_txn_id> failed'],
    ['moved by -12345678', 'moved by <hex>'],
    ['WWW.EXAMPLE.COM is down', '<hostname> is down'],
    ['utf-8 and 4,150,908', 'utf-8 and <int>'],
    ['invoice k9Mtd2gDcgG', 'invoice <random_id>'],
    ['base64encoder and Version20', 'base64encoder and Version20'],
    ['tcp 00:1b:44:11:3a:b7', 'tcp <mac>'],
  ])('%j becomes %j, amid text too', (text, expected) => {
    expect(messageValue(text)).toBe(expected);
    expect(messageValue(`prefix ${text} suffix`)).toBe(`prefix ${expected} suffix`);
  });

  it('takes texts made to be slow', () => {
    for (const seed of [
      '::',
      'f::',
      'ffff:1.',
      '::1.1.1.',
      '-1',
      'tx',
      'eyJa.',
      'A.',
      'a1',
      '1,000,',
      '20260101 1010',
    ]) {
      const text = seed.repeat(Math.ceil(100_000 / seed.length));
      // A quadratic expression would not be through before the test's time is up.
      for (let round = 0; round < 20; round++) expect(messageValue(`${text}${round}`).length).toBeLessThan(40_000);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { errorValue } from './parameterize.ts';

describe('errorValue', () => {
  it.each([
    ['strconv.Atoi: parsing "two": invalid syntax', 'strconv.Atoi: parsing <quoted_str>: invalid syntax'],
    ['parsing "a \\"b\\" c": no', 'parsing <quoted_str>: no'],
    ["invalid literal: 'two', it isn't one", "invalid literal: <quoted_str>, it isn't one"],
    ["the users' list can't be read", "the users' list can't be read"],
    ['nothing under “ключ”, «ключ»', 'nothing under <quoted_str>, <quoted_str>'],
    ['called `Option::unwrap()` on a `None` value', 'called `Option::unwrap()` on a `None` value'],
    ['on an `Err` value: Parse { kind: Invalid, at: 3 }', 'on an `Err` value: Parse {...}'],
    ['open /srv/orders/ada.json: no such file', 'open <path>: no such file'],
    ['open C:\\orders\\ada.json: no', 'open <path>: no'],
    ['net/http: abort, and/or text/html', 'net/http: abort, and/or text/html'],
    ['only 3 of A-1 left', 'only <int> of <code> left'],
    ['UTF-8 of ORD-2024-17', 'UTF-<int> of <code>'],
    ['dial tcp 10.1.2.3:5432: refused', 'dial tcp <ip>:<int>: refused'],
    // All that is known.
    ["'user'", "'user'"],
    ['"two" 3', '"two" <int>'],
  ])('%j becomes %j', (text, expected) => {
    expect(errorValue(text, 'go')).toBe(expected);
  });

  it('leaves JavaScript as it was', () => {
    for (const platform of ['javascript', 'node']) {
      expect(errorValue('no "key" in /a/b of A-1 { x }', platform)).toBe('no "key" in /a/b of A-<int> { x }');
    }
  });

  it('takes texts made to be slow', () => {
    for (const seed of ['"', "'", ' "\\', '{', '/', '/a', ' C:\\', 'A-', 'A-1-', '“', '"{/', "' '"]) {
      const text = seed.repeat(Math.ceil(100_000 / seed.length));
      // A quadratic expression would not be through before the test's time is up.
      for (let round = 0; round < 20; round++) expect(errorValue(`${text}${round}`, 'go').length).toBeLessThan(40_000);
    }
  });
});

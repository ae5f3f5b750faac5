import { describe, expect, it } from 'vitest';
import { readJson, report, sharedFolder } from '../../conformance-data.ts';
import { firstLines, maxParameterized } from '../message.ts';
import { messageValue, parameterize } from './parameterize.ts';

describe('parameterize', () => {
  it.each([
    ['User 4711 not found', 'User <int> not found'],
    ['write to ada.l+x@mail.example.co.uk failed', 'write to <email> failed'],
    ['GET https://example.com/a?b=1 gave 502', 'GET <url> gave <int>'],
    ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED <ip>:<int>'],
    ['peer 2001:db8::6 left', 'peer <ip> left'],
    ['order 08bcc8b2-5ca5-01c0-fe97-94f7b15126b3', 'order <uuid>'],
    ['at 2026-11-21T03:00:06.184Z', 'at <date>'],
    ['timeout after 1500ms', 'timeout after <duration>'],
    ['0xdeadbeef and 631442251908272', '<hex> and <hex>'],
    ['took 1.25 of -3', 'took <float> of <int>'],
    ["name='a b' open=true", 'name=<quoted_str> open=<bool>'],
    ["reading 'total2'", "reading 'total2'"],
    ['Class::method() of babe', 'Class::method() of babe'],
    ['', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(parameterize(text)).toBe(expected);
  });

  it('takes two lines that are not empty', () => {
    expect(firstLines('\n a \n\n b\nc')).toBe('a\nb...');
    expect(firstLines('a\nb\n')).toBe('a\nb');
    expect(messageValue('row 7\r\nrow 8\r\nrow 9')).toBe('row <int>\nrow <int>...');
  });

  it('looks at 8 kB, and never cuts a surrogate pair in two', () => {
    const text = `${'x'.repeat(maxParameterized - 1)}😀 1`;
    expect(parameterize(text).isWellFormed()).toBe(true);
    expect(parameterize(text).length).toBeLessThanOrEqual(maxParameterized);
  });

  it('takes texts made to be slow', () => {
    const seeds = [
      'a.',
      '1:',
      'a@',
      '0-',
      "='",
      '::',
      'http://',
      'Mon Jan ',
      '-',
      'f',
      '1.',
      '2026-',
      'a-b.',
      '%',
      '12:3',
      'tx',
      '00-',
      'de:ad:',
    ];
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(100_000 / seed.length));
      // A quadratic expression would not be through before the test's time is up.
      for (let round = 0; round < 20; round++) expect(parameterize(`${text}${round}`).length).toBeLessThan(40_000);
    }
  });

  const folder = sharedFolder('conformance/parameterization', 'comparison of placeholders with published cases') ?? '';
  it.skipIf(folder === '')('conformance, alone and amid text', () => {
    const results = ['fixtures.json', 'generated.json'].flatMap((file) =>
      readJson<{ cases: { id: string; input: string; expected: string }[] }>(folder, file).cases.flatMap(
        ({ id, input, expected }) => [
          { id, passed: parameterize(input) === expected },
          { id: `${id} amid text`, passed: parameterize(`prefix ${input} suffix`) === `prefix ${expected} suffix` },
        ],
      ),
    );
    expect(report('parameterization', results)).toBe(1);
  });
});

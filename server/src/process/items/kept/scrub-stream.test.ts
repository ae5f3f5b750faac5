import { expect, test } from 'vitest';
import { defaultProjectSettings } from '../../types.ts';
import { scrubRules, scrubText } from '../../steps/scrub/index.ts';
import { pieceLength, removedStretch, scrubStream } from './scrub-stream.ts';

const rules = scrubRules(defaultProjectSettings);
const scrub = (text: string): string => scrubText(text, 'message', rules);
const noSecret = 'worker 17 is idle, nothing to do\n';
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(60)}-----END PRIVATE KEY-----\n`;

function inPieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}
const streamed = (text: string, length = 100_003): string => [...scrubStream(inPieces(text, length), scrub)].join('');

test.each([
  ['a password', 'password=hunter2-and-more\n', 'hunter2'],
  ['one in JSON', '{"user":1,"password": "hunter2-and-more"}\n', 'hunter2'],
  ['a card number', 'card 4111 1111 1111 1111.\n', '1111 1111'],
  ['a key in PEM', pem, 'MIIEvQ'],
])('%s at any border of pieces is found', (_what, secret, sign) => {
  // Long before the first place where the text may be cut to long after it.
  for (let before = pieceLength - 3000; before < pieceLength + 3000; before += 487) {
    const text = `${'x'.repeat(before % 31)}\n${noSecret.repeat(before / noSecret.length)}${secret}${noSecret.repeat(9000)}`;
    const safe = streamed(text);
    expect(safe).not.toContain(sign);
    expect(safe).toBe(scrub(text));
  }
});

test('a text without line ends is scrubbed all the same', () => {
  const text = `${'{"a":1,"password":"hunter2","b":[2,3]},'.repeat(40_000)}`;
  expect(streamed(text)).toBe(scrub(text));
  expect(streamed(text)).not.toContain('hunter2');
});

test('characters of two halves stay whole', () => {
  const text = '😀'.repeat(700_000);
  expect(streamed(text, 99_999)).toBe(text);
});

test('what cannot be cut anywhere is not kept', () => {
  // As if all of it were one secret.
  const hideAll = (text: string): string => (text.length > 0 ? `<${text.length}>` : '');
  const safe = [...scrubStream(inPieces('secret'.repeat(1_000_000), 100_000), hideAll)].join('');
  expect(safe).toContain(removedStretch);
  expect(safe).not.toContain('secret');
});

test('short and empty texts', () => {
  expect(streamed('')).toBe('');
  expect(streamed('password=hunter2')).toBe('password=[Filtered]');
});

import { expect, test } from 'vitest';
import { withoutColours } from './ansi.ts';

test.each([
  ['plain [35m text', 'plain [35m text'],
  ['\u001b[35m\u001b[1mGET /x HTTP/1.1\u001b[0m 500', 'GET /x HTTP/1.1 500'],
  ['\u001b[38;5;196mred\u001b[38;2;1;2;3mrgb\u001b[m', 'redrgb'],
  ['\u001b[38:2::1:2:3mrgb\u001b[K', 'rgb'],
  ['\u001b]8;;https://example.com\u0007link\u001b]8;;\u001b\\', 'link'],
  ['cut \u001b[35', 'cut '],
  ['cut \u001b', 'cut '],
  ['a \u001b(B line', 'a  line'],
])('%j is read as %j', (sent, read) => {
  expect(withoutColours(sent)).toBe(read);
});

test('texts made to be slow take no time', () => {
  for (const seed of ['\u001b', '\u001b[', '\u001b]', '\u001b[1;', '\u001b]a']) {
    const started = performance.now();
    withoutColours(seed.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(500);
  }
});

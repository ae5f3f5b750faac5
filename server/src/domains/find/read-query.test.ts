import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxQueryLength, readQuery } from './read-query.ts';

const options = { ownHosts: ['culprit.example.com', 'localhost:7420'], prefixes: ['SHOP', 'WEB-APP'] };
const read = (text: string): string[] => readQuery(text, options).map(({ kind, value }) => `${kind} ${value}`);
const event = '8c05a357b1c24d6f9e0a1b2c3d4e5f60';
const span = '8efd84a8c32d4e7c';

const serverText =
  'Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).';
const clientText =
  'Application error: a client-side exception has occurred while loading shop.example.com (see the browser console for more information).';

describe('the screens', () => {
  test.each([
    [`${serverText}\nDigest: 1930860604`, ['host shop.example.com', 'side server', 'digest 1930860604']],
    [
      `  ${serverText} \r\n\r\n Digest:\u00a01930860604 \n`,
      ['host shop.example.com', 'side server', 'digest 1930860604'],
    ],
    [
      `<h2 style="font-size: 14px">${serverText}</h2><p>Digest: <code>3254426033@E7</code></p>`,
      ['host shop.example.com', 'side server', 'digest 3254426033'],
    ],
    [`Our customer wrote: "${clientText}" – what is it?`, ['host shop.example.com', 'side browser']],
    [
      'Application error: a client-side exception has occurred (see the browser console for more information).',
      ['side browser'],
    ],
    [
      'This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR 897338432',
      ['side server', 'digest 897338432'],
    ],
    [
      "This page couldn't load ⏎ A server error occurred. Reload to try again. ⏎ Reload ⏎ ERROR 897338432.",
      ['side server', 'digest 897338432'],
    ],
    ['This page couldn&#x27;t load&nbsp;Reload to try again, or go back.', ['side browser']],
    ['This page isn’t working\nlocalhost is currently unable to handle this request.\nHTTP ERROR 500', ['words']],
    ["Error: An error occurred in the Server Components render. {digest: '2039259930'}", ['digest 2039259930']],
    [`while loading SHOP.example.com:8443. Digest: 1`, ['host shop.example.com', 'digest 1']],
    [`while loading "><script>alert(1)</script> Digest: 1`, ['digest 1']],
  ])('%s', (text, expected) => {
    const found = read(text);
    expect(expected.length === 1 && expected[0] === 'words' ? found.map((one) => one.split(' ')[0]) : found).toEqual(
      expected,
    );
  });

  test.each(existsSync(screensFile()) ? ['captured'] : [])('each that was captured leads to its digest', () => {
    const captured = JSON.parse(readFileSync(screensFile(), 'utf8')) as Record<
      string,
      { screen?: string; serverLogDigest?: string | null }[]
    >;
    let withDigest = 0;
    for (const { screen = '' } of Object.values(captured).flat()) {
      const digest = /(?:Digest: |⏎ ERROR )(\d+)/.exec(screen)?.[1];
      if (digest === undefined) continue;
      withDigest += 1;
      expect(read(screen)).toContain(`digest ${digest}`);
    }
    expect(withDigest).toBeGreaterThan(10);
  });
});

/** Beside the checkout; where it is not, the cases above stand for it. */
function screensFile(): string {
  return join(import.meta.dirname, '../../../../../shared/fixtures/nextjs/screens.json');
}

test.each([
  ['1930860604', ['digest 1930860604']],
  [' "1930860604". ', ['digest 1930860604']],
  ['Digest: 1930860604', ['digest 1930860604']],
  ['digest=[2039259930]', ['digest 2039259930']],
  ['ERROR 1930860604', ['digest 1930860604']],
  ['error: 42', ['digest 42']],
  ['3254426033@E7', ['digest 3254426033']],
  ['ERROR 3254426033@E394', ['digest 3254426033']],
  ['Digest: 12345678901234567890', ['digest 12345678901234567890']],
  ['12345678901', ['words 12345678901']],
  [event, [`event ${event}`]],
  ['8C05A357-B1C2-4D6F-9E0A-1B2C3D4E5F60', [`event ${event}`]],
  [`trace_id: ${event}`, [`trace ${event}`]],
  [`sentry-trace: ${event}-${span}-1`, [`trace ${event}`, `span ${span}`]],
  [`00-${event}-${span}-01`, [`trace ${event}`, `span ${span}`]],
  [span, [`span ${span}`]],
  ['SHOP-42', ['issue SHOP-42']],
  ['shop-42: TypeError in getPrice', ['issue SHOP-42']],
  ['WEB-APP-7', ['issue WEB-APP-7']],
  ['UTF-8', ['words UTF-8']],
  ['#42', ['issue 42']],
  ['issue 42', ['issue 42']],
  ['shop@1.4.2', ['release shop@1.4.2']],
  ['release:4f2c1', ['release 4f2c1']],
  ['4f2c19aa', ['release 4f2c19aa']],
  ['  cannot read\n properties ', ['words cannot read properties']],
  ['https://shop.example.com:8443/product/7?x=1).', ['host shop.example.com', 'path /product/7']],
  ['https://culprit.example.com/issues/SHOP-42', ['issue SHOP-42']],
  [`https://culprit.example.com/issues/SHOP-42?event=${event}`, [`event ${event}`, 'issue SHOP-42']],
  [`http://localhost:7420/organizations/acme/issues/17/events/${event}/`, [`event ${event}`, 'issue 17']],
  ['http://localhost:7420/d/1930860604', ['digest 1930860604']],
  ['/d/1930860604', ['digest 1930860604']],
  ['http://localhost:7420/find?q=ERROR+1930860604', ['digest 1930860604']],
  [`/traces/${event}`, [`trace ${event}`]],
  [`/traces/${event}?span=${span}&at=1`, [`trace ${event}`, `span ${span}`]],
  [`/traces/${event}?span=nothing`, [`trace ${event}`]],
  ['https://other.example.com/issues/SHOP-42', ['host other.example.com', 'path /issues/SHOP-42']],
  ['https://culprit.example.com/somewhere', ['host culprit.example.com', 'path /somewhere']],
  [`https://${event}@culprit.example.com/1`, ['host culprit.example.com', 'path /1']],
  ['', []],
  [' \n\u200b\0 ', []],
])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('a bare number may be an issue, 32 digits a trace', () => {
  expect(readQuery('42', options)[0]?.orElse).toBe('issue');
  expect(readQuery(event, options)[0]?.orElse).toBe('trace');
  expect(readQuery('Digest: 42', options)[0]?.orElse).toBeUndefined();
});

test('positions are those of the text as it was pasted, so that a chip can be taken out', () => {
  const text = `\u200b${serverText}&nbsp;<b>Digest:\u00a01930860604</b>`;
  const digest = readQuery(text, options).find((one) => one.kind === 'digest');
  expect(text.slice(digest?.start, digest?.end)).toBe('Digest:\u00a01930860604');
  const left = text.slice(0, digest?.start) + text.slice(digest?.end);
  expect(read(left)).toEqual(['host shop.example.com', 'side server']);
});

test('at most three of a kind', () => {
  expect(read('1@E1 2@E1 3@E1 4@E1')).toEqual(['digest 1', 'digest 2', 'digest 3']);
});

test('an address of Find inside an address of Find is not followed without end', () => {
  expect(readQuery('/find?q='.repeat(200), options).map(({ kind }) => kind)).toEqual(['words']);
  expect(read('/find?q=/d/7')).toEqual(['digest 7']);
});

test('any text is read, with places that lie in it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'Digest: ',
      'ERROR ',
      '@E7',
      'http://',
      '<a ',
      '&nbsp;',
      '\ud800',
      '__proto__',
      event,
      span,
      '-',
      '7',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      for (const { start, end } of readQuery(text, options)) {
        expect(start).toBeLessThan(end);
        expect(end).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

// Patterns that go back and forth would need minutes for these.
test.each([
  'digest',
  'digest ',
  'digest:::::',
  'error ',
  'http error ',
  'a server-side ',
  'while loading ',
  'while loading a',
  'http://',
  'http://a/ ',
  '<a ',
  '<a href="',
  '&nbsp',
  '0123456789abcdef',
  'a-',
  'A-1-',
  '1@E',
  '12345678-1234-',
  "couldn't ",
  ' ',
  '\n',
  '1',
  '/find?q=',
  'issue #',
])('a page full of %j is read', (part) => {
  const text = part.repeat(Math.ceil(maxQueryLength / part.length));
  for (const { end } of readQuery(text, options)) expect(end).toBeLessThanOrEqual(maxQueryLength);
});

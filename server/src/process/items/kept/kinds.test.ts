import { expect, test } from 'vitest';
import { declaredKind, imageType } from './kinds.ts';

const bytes = (...values: (number | string)[]): Uint8Array =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))));

test.each([
  [bytes(0x89, 'PNG\r\n', 0x1a, '\n', 0), 'image/png'],
  [bytes(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
  [bytes('GIF89a'), 'image/gif'],
  [bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8 '), 'image/webp'],
  [bytes(0, 0, 0, 0x1c, 'ftypavif'), 'image/avif'],
  [bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), undefined],
  [bytes('<html>'), undefined],
  [bytes(), undefined],
])('an image is one by its bytes', (start, type) => expect(imageType(start)).toBe(type));

test.each([
  ['shot.png', '', 'image'],
  ['shot', 'image/jpeg', 'image'],
  ['drawing.svg', 'image/svg+xml', 'other'],
  ['page.html', 'text/html', 'text'],
  ['state.json', '', 'json'],
  ['hierarchy', 'application/vnd.app+json', 'json'],
  ['app.log', 'application/octet-stream', 'text'],
  ['core.dmp', '', 'other'],
])('%s, said to be %s, is shown as %s', (name, type, kind) => expect(declaredKind(name, type)).toBe(kind));

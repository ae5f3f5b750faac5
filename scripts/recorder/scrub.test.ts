import { parseEnvelope } from '@culprit/envelope';
import { expect, it } from 'vitest';
import { scrubEnvelope, scrubProtobuf } from './scrub.ts';

const replacements = [
  { from: '/home/me/shop', to: '/app' },
  { from: 'my-laptop', to: 'web-1' },
];

it('replaces in text, keeps binary payloads, and lengths stay true', () => {
  const payload = Uint8Array.of(255, 10, 0);
  const before = Buffer.concat([
    Buffer.from('{"server":"my-laptop"}\n{"type":"event","length":33}\n{"file":"/home/me/shop/index.ts"}\n'),
    Buffer.from('{"type":"attachment","length":3,"filename":"/home/me/shop/a"}\n'),
    payload,
    Buffer.from('\n{"type":"log"}\n"my-laptop"'),
  ]);
  const { header, items } = parseEnvelope(scrubEnvelope(before, replacements));
  expect(header).toEqual({ server: 'web-1' });
  expect(items.map((item) => item.header)).toEqual([
    { type: 'event', length: 24 },
    { type: 'attachment', length: 3, filename: '/app/a' },
    { type: 'log' },
  ]);
  expect(items.map((item) => Buffer.from(item.payload))).toEqual([
    Buffer.from('{"file":"/app/index.ts"}'),
    Buffer.from(payload),
    Buffer.from('"web-1"'),
  ]);
});

it('replaces in the texts of a protobuf message, and lengths of all that hold them stay true', () => {
  const text = (value: string) => Buffer.concat([Buffer.of(0x0a, value.length), Buffer.from(value)]);
  const around = (inner: Uint8Array) =>
    Buffer.concat([Buffer.of(0x12, inner.length), inner, Buffer.of(0x18, 0x96, 0x01)]);
  const before = around(text('/home/me/shop/cart.py'));
  expect(Buffer.from(scrubProtobuf(before, replacements))).toEqual(around(text('/app/cart.py')));
  expect(scrubProtobuf(text('nothing'), replacements)).toEqual(text('nothing'));
});

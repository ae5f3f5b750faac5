import { expect, test } from 'vitest';
import { createFinder, soughtText } from './sought-text.ts';

const mail = createFinder([soughtText('ada.q@mail.example', 'mail')]);

test.each([
  'ada.q@mail.example',
  'to ADA.Q@mail.example.',
  '<ada.q@mail.example>',
  '{"to":"ada.q@mail.example"}',
  'https://a.example/?m=ada.q%40mail.example&b=1',
  'https://a.example/?m=x%3Dada.q%40mail.example',
  String.raw`{"text":"hello\nada.q@mail.example\nbye"}`,
  'email:ada.q@mail.example',
])('found in %s', (text) => {
  expect(mail.isInText(text)).toBe(true);
  expect(mail.isIn(Buffer.from(text))).toBe(true);
  const gone = mail.replaced(text, '[erased]');
  expect(gone).toContain('[erased]');
  expect(mail.isInText(gone)).toBe(false);
});

test.each([
  'xada.q@mail.example',
  'b.ada.q@mail.example',
  'ada.q@mail.example.org',
  'ada.q@mail.examples',
  'ada-q@mail.example',
  'ada.q@mail',
  '',
])('not found in %s', (text) => {
  expect(mail.isInText(text)).toBe(false);
  expect(mail.isIn(Buffer.from(text))).toBe(false);
  expect(mail.replaced(text, '[erased]')).toBe(text);
});

test('words, names of any letters, addresses', () => {
  const name = createFinder([soughtText('Zoë Åström', 'word')]);
  expect(name.isIn(Buffer.from('hello Zoë Åström!'))).toBe(true);
  expect(name.isIn(Buffer.from('hello Zoë Åströms'))).toBe(false);
  expect(name.isInText(JSON.stringify({ a: 'Zoë Åström' }))).toBe(true);
  expect(name.isInText('Zo\\u00eb \\u00c5str\\u00f6m')).toBe(true);
  const ip = createFinder([soughtText('10.1.2.3', 'address')]);
  expect(ip.isInText('from 10.1.2.3:8080, twice')).toBe(true);
  expect(ip.isInText('from 110.1.2.3')).toBe(false);
  expect(ip.isInText('from 10.1.2.30')).toBe(false);
  expect(ip.isInText('from 10.1.2.3.4')).toBe(false);
  expect(createFinder([]).isInText('anything')).toBe(false);
});

test('quotes and regular expressions in a text are text', () => {
  const odd = createFinder([soughtText('a"b(c)[d]+', 'word')]);
  expect(odd.isInText('x a"b(c)[d]+ y')).toBe(true);
  expect(odd.isInText(JSON.stringify({ x: 'a"b(c)[d]+' }))).toBe(true);
  expect(odd.replaced(JSON.stringify({ x: 'a"b(c)[d]+' }), '[erased]')).toBe('{"x":"[erased]"}');
  expect(odd.isInText('a"b(c)[d]')).toBe(false);
});

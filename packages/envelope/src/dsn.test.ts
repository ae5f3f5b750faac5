import { expect, it } from 'vitest';
import { envelopeUrl, formatDsn, parseDsn } from './index.ts';

it.each([
  ['https://abc@monitor.example.com/1', 'https://monitor.example.com/api/1/envelope/'],
  ['http://abc@127.0.0.1:7420/12', 'http://127.0.0.1:7420/api/12/envelope/'],
  ['http://abc@[::1]:7420/12', 'http://[::1]:7420/api/12/envelope/'],
  ['https://abc@example.com/deep/prefix/3', 'https://example.com/deep/prefix/api/3/envelope/'],
])('%s', (text, url) => {
  const dsn = parseDsn(text);
  expect(dsn && formatDsn(dsn)).toBe(text);
  expect(dsn && envelopeUrl(dsn)).toBe(url);
});

it('reads over secrets, queries and a slash at the end', () => {
  for (const text of ['http://abc:@h/1', 'http://abc:secret@h/1', 'http://abc@h/1?a=b', 'http://abc@h/1/']) {
    expect(parseDsn(text)).toEqual({ protocol: 'http', publicKey: 'abc', host: 'h', pathPrefix: '', projectId: '1' });
  }
});

it.each([
  undefined,
  null,
  1,
  {},
  '',
  'abc',
  'http://h/1',
  'http://abc@h',
  'http://abc@h/',
  'ftp://abc@h/1',
  'javascript:1',
  '//abc@h/1',
  `http://abc@h/${'1'.repeat(3000)}`,
])('%j is no DSN', (value) => {
  expect(parseDsn(value)).toBeUndefined();
});

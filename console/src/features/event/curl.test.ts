import { expect, test } from 'vitest';
import { curlCommand } from './curl.ts';
import { requestUrl } from './request-url.ts';
import type { RequestData } from './types.ts';

const request = (fields: Partial<RequestData>): RequestData => ({
  method: null,
  url: 'https://shop.example.com/cart',
  query: [],
  fragment: null,
  headers: [],
  cookies: [],
  data: null,
  env: null,
  inferredContentType: null,
  ...fields,
});

test('a plain GET is one word and the address', () => {
  expect(curlCommand(request({}))).toBe("curl \\\n  'https://shop.example.com/cart'");
});

test('method, headers, cookies and body, without what curl sets itself', () => {
  const command = curlCommand(
    request({
      method: 'post',
      query: [['q', 'a b&c']],
      headers: [
        ['Content-Type', 'application/json'],
        ['Host', 'shop.example.com'],
        ['Accept-Encoding', 'gzip'],
      ],
      cookies: [['sid', '[Filtered]']],
      data: { sku: 'A-1' },
    }),
  );
  expect(command.split(' \\\n  ')).toEqual([
    'curl',
    '-X POST',
    "'https://shop.example.com/cart?q=a%20b%26c'",
    "-H 'Content-Type: application/json'",
    "-b 'sid=[Filtered]'",
    `--data-raw '{"sku":"A-1"}'`,
    '--compressed',
  ]);
});

test('nothing from outside leaves its quotes', () => {
  expect(curlCommand(request({ method: 'GET; rm -rf', data: "'; rm -rf / #" }))).toBe(
    String.raw`curl \
  -X 'GET; RM -RF' \
  'https://shop.example.com/cart' \
  --data-raw ''\''; rm -rf / #'`,
  );
  expect(requestUrl(request({ query: [['\ud800', null]] }))).toContain('%EF%BF%BD=');
});

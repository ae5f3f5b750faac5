import { expect, test } from 'vitest';
import { linkInto, withLinks } from './organization-links.ts';
import { notification } from './testing/people.ts';

const link = linkInto('https://errors.example.com', 'acme');

test.each([
  ['https://errors.example.com/issues/SHOP-1', 'https://errors.example.com/issues/SHOP-1?org=acme'],
  ['https://errors.example.com/issues?range=7d', 'https://errors.example.com/issues?range=7d&org=acme'],
  ['https://errors.example.com/traces/1#span-2', 'https://errors.example.com/traces/1?org=acme#span-2'],
  ['https://errors.example.com.evil.example/issues', 'https://errors.example.com.evil.example/issues'],
  ['', ''],
])('%s', (url, expected) => expect(link(url)).toBe(expected));

test('names the organisation in every link of a notification, but for those of one person', () => {
  const url = 'https://errors.example.com/alerts/3';
  const told = {
    ...notification(),
    url,
    rule: { id: 3, name: 'Checkout', url },
    sections: [{ heading: 'New', lines: [{ title: 'TypeError', url, text: '' }] }],
  };
  expect(withLinks(told, link)).toMatchObject({
    url: `${url}?org=acme`,
    rule: { url: `${url}?org=acme` },
    sections: [{ lines: [{ url: `${url}?org=acme` }] }],
  });
  expect(withLinks(told, undefined)).toEqual(told);
  expect(withLinks({ ...told, kind: 'invitation' }, link).url).toBe(url);
});

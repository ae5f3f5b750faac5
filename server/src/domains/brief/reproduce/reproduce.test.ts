import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import type { BriefNote } from '../types.ts';
import type { Breadcrumb } from '../trail.ts';
import { playwrightTest } from './playwright.ts';
import { curlOf, type RequestData } from './request.ts';
import { targetOf } from './selector.ts';
import { stepsOf, stepText } from './steps.ts';

const request = (fields: Partial<RequestData>): RequestData => ({
  method: null,
  url: 'https://shop.example.com/cart',
  query: [],
  fragment: null,
  headers: [],
  cookies: [],
  data: null,
  ...fields,
});

/** The words that a shell makes of a command. */
function words(command: string): string[] {
  const { stdout } = spawnSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

const told = (notes: readonly BriefNote[]): string[] =>
  notes.map(({ text, what }) => (what === null ? text : `${text} ${what}`));

describe('curl', () => {
  test('method, headers, cookies, query and body, without what was scrubbed', () => {
    const { command, missing } = curlOf(
      request({
        method: 'post',
        query: [['q', 'a b&c']],
        headers: [
          ['Content-Type', 'application/json'],
          ['Authorization', '[Filtered]'],
          ['X-Forwarded-For', '203.0.113.5'],
        ],
        cookies: [
          ['sid', '[Filtered]'],
          ['theme', 'dark'],
        ],
        data: { sku: 'A-1' },
      }),
    );
    expect(words(command ?? '')).toEqual([
      '-X',
      'POST',
      'https://shop.example.com/cart?q=a%20b%26c',
      '-H',
      'Content-Type: application/json',
      '-b',
      'theme=dark',
      '--data-raw',
      '{"sku":"A-1"}',
    ]);
    expect(told(missing)).toEqual([
      'The value of a header, which was scrubbed: Authorization',
      'The value of a cookie, which was scrubbed: sid',
    ]);
  });

  test.each(["'; touch /tmp/x #", '$(id)`id`', "it's\n\u202eback", '\u001b[2J', '\\x41', 'übergröße 😀'])(
    'the shell gives %j back as it is',
    (data) => expect(words(curlOf(request({ method: data, data })).command ?? '').at(-1)).toBe(data),
  );

  test('a body that is not there, and one that is too long', () => {
    expect(told(curlOf(request({ method: 'POST' })).missing)).toEqual(['The body of the request.']);
    expect(curlOf(request({ data: 'x'.repeat(9_000) }))).toMatchObject({ command: null });
  });
});

test.each([
  ['body > button', 'button'],
  ['body > div#root > button#pay', 'button[id="pay"]'],
  [
    'div.card > form#checkout > input[type="email"][name="mail"]',
    'form[id="checkout"] > input[type="email"][name="mail"]',
  ],
  ['div.p-4.md:flex > a.link.primary', 'div > a.link.primary'],
  ['span.py-1.5.big', 'span.big'],
  ['Cart > button[aria-label="Add it"]', '[data-sentry-component="Cart"] > button[aria-label="Add it"]'],
  ['', undefined],
  ['body', undefined],
  ['button"); process.exit(); ("', undefined],
  ['[object Object]', undefined],
])('the element %s is %s', (text, selector) => expect(targetOf(text)?.selector).toBe(selector));

let moment = Date.UTC(2026, 10, 21);
const crumb = (
  category: string,
  message: string | null,
  data: Breadcrumb['data'] = null,
  afterMs = 100,
): Breadcrumb => {
  moment += afterMs;
  return { type: 'default', category, level: 'info', message, data, timestamp: new Date(moment).toISOString() };
};

const page = 'https://shop.example.com/pay?step=2';
const way = [
  crumb('navigation', null, { from: '/cart', to: '/checkout' }),
  crumb('ui.click', 'form > input[type="email"]'),
  crumb('ui.input', 'form > input[type="email"]'),
  crumb('ui.input', 'form > input[type="email"]'),
  crumb('fetch', null, { method: 'POST', url: '/api/pay', status_code: 500 }),
  crumb('fetch', null, { method: 'GET', url: '/api/ok', status_code: 200 }),
  crumb('ui.click', 'button#pay'),
  crumb('navigation', null, { from: '/checkout', to: '/pay?step=2' }),
];
const bug = { name: "WEB-1: it's", type: 'TypeError', message: 'no `price`\nof "it"' };

test('breadcrumbs are steps', () => {
  expect(told(stepsOf(way, page).map(stepText))).toEqual([
    'Open https://shop.example.com/cart',
    'Go to https://shop.example.com/checkout',
    'Click form > input[type="email"]',
    'Type into form > input[type="email"]',
    'A request is answered with 500: POST /api/pay',
    'Click button#pay',
    'The page becomes https://shop.example.com/pay?step=2',
  ]);
});

test('steps are a test that is TypeScript, whatever they say', () => {
  const { test: source, missing } = playwrightTest(stepsOf(way, page), way.length, bug);
  expect(told(missing)).toEqual(['Typed text. The test types a placeholder into: form > input[type="email"]']);
  expect(
    source
      ?.split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('await')),
  ).toEqual([
    'await page.route((url) => url.href.includes("/api/pay"), (route) =>',
    'await page.goto(base + "/cart");',
    'await page.goto(base + "/checkout");',
    `await page.locator(${JSON.stringify('form > input[type="email"]')}).first().click();`,
    `await page.locator(${JSON.stringify('form > input[type="email"]')}).first().fill("user@example.com");`,
    `await page.locator(${JSON.stringify('button[id="pay"]')}).first().click();`,
    'await page.waitForURL((url) => url.href.endsWith("/pay?step=2"));',
    "await page.waitForLoadState('networkidle');",
  ]);
  expect(stripTypeScriptTypes(source ?? '')).toContain('test("WEB-1: it\'s"');
});

test('where steps do not suffice it says what is missing', () => {
  const lost = [...way, crumb('ui.click', 'svg <unknown>')];
  expect(told(playwrightTest(stepsOf(lost, page), 100, bug).missing)).toEqual([
    'The actions before the oldest breadcrumb.',
    'The element: svg <unknown>',
  ]);
  expect(told(playwrightTest(stepsOf([], undefined), 0, bug).missing)).toEqual(['The address of the page.']);
});

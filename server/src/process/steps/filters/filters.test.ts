/** Each filter by a table of what it drops and what it must not. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../event.ts';
import { compileFilters, type FilterId, filterIds, judgeEvent, judgeRow, type PatternFilterId } from './index.ts';

const some: object = { platform: 'javascript', tags: [] };
const eventOf = (parts: object): Event => ({ ...some, ...parts }) as Event;

const thrown = (exception: object, more: object = {}): Event =>
  eventOf({ exception: { values: [exception] }, ...more });

const at = (...addresses: string[]) => ({
  stacktrace: { frames: addresses.map((address) => ({ abs_path: address })) },
});

/** Whether this filter alone drops it. */
function drops(id: FilterId, event: Event, patterns: readonly string[] = [], sender = {}): boolean {
  const filters = compileFilters({ active: [id], patterns: { [id]: patterns } });
  return filters !== undefined && judgeEvent(filters, event, sender) === id;
}

const app = 'https://shop.example.com/assets/app.js';
const extension = 'chrome-extension://gighmmpiobklfepjocnamgkkbiglidom/content.js';

describe('browser extensions', () => {
  test.each<[string, Event]>([
    ['thrown by an extension', thrown({ type: 'TypeError', value: 'x is null', ...at(extension) })],
    ['of Firefox', thrown({ type: 'Error', value: 'x', ...at(app, 'moz-extension://a1b2/background.js') })],
    ['of Safari', thrown({ type: 'Error', value: 'x', ...at('safari-web-extension://A1/content.js') })],
    ['of Safari, hidden', thrown({ type: 'Error', value: 'x', ...at('webkit-masked-url://hidden/') })],
    ['called from the page', thrown({ type: 'Error', value: 'x', ...at(app, extension, '<anonymous>') })],
    ['said by the browser', thrown({ type: 'Error', value: 'Extension context invalidated.' })],
    ['a port that closed', thrown({ value: 'The message port closed before a response was received.' })],
    ['a mail scanner', thrown({ value: 'Object Not Found Matching Id:3, MethodName:update, ParamCount:4' })],
    ['an in-app browser', thrown({ type: 'ReferenceError', value: "Can't find variable: _AutofillCallbackHandler" })],
    ['a blocked script', eventOf({ platform: 'other', csp: { blocked_uri: 'chrome-extension' } })],
  ])('%s', (_name, event) => {
    expect(drops('browser-extensions', event)).toBe(true);
  });

  test.each<[string, Event]>([
    ['the page', thrown({ type: 'TypeError', value: 'x is null', ...at(app) })],
    [
      'a page that talks of extensions',
      thrown({ type: 'Error', value: 'File extension .exe is not allowed', ...at(app) }),
    ],
    [
      'a request of the page that an extension stands around',
      thrown({ value: 'Failed to fetch', ...at(app, extension) }),
    ],
    ['an extension in the middle', thrown({ type: 'Error', value: 'x', ...at(app, extension, app) })],
    [
      'a page of an extension',
      thrown({ value: 'x', ...at(extension) }, { request: { url: 'chrome-extension://gig/a.html' } }),
    ],
    ['a server', thrown({ value: 'Extension context invalidated.', ...at(extension) }, { platform: 'node' })],
    ['no stack', thrown({ type: 'Error', value: 'Script error.' })],
    [
      'a message',
      eventOf({
        platform: 'javascript',
        logentry: { formatted: 'Extension context invalidated.' },
      }),
    ],
    ['a blocked script of another host', eventOf({ platform: 'other', csp: { blocked_uri: 'https://evil.example' } })],
  ])('not %s', (_name, event) => {
    expect(drops('browser-extensions', event)).toBe(false);
  });
});

const withAgent = (agent: string): Event =>
  eventOf({ platform: 'node', request: { headers: [['User-Agent', agent]] } });

describe('crawlers', () => {
  test.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.1; +https://openai.com/gptbot',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Twitterbot/1.0',
    'Mozilla/5.0 (Macintosh) AppleWebKit/600 (KHTML, like Gecko) Version/8.0 Safari/600 (Applebot/0.1)',
    'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
    'Mozilla/5.0 (X11) HeadlessChrome/120 Safari/537.36 Chrome-Lighthouse',
  ])('%s', (agent) => {
    expect(drops('web-crawlers', withAgent(agent))).toBe(true);
  });

  test.each([
    '',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; CUBOT X18) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 10; CUBOT_NOTE_20) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.38 Chrome/124 Electron/30 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0;FBDV/iPhone14,5]',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Instagram 300.0 (iPhone14,5; iOS 17_0)',
    'node',
    'curl/8.5.0',
    'python-requests/2.31',
    'okhttp/4.12.0',
    'Robotics-App/2.0 (Android 14)',
  ])('not %s', (agent) => {
    expect(drops('web-crawlers', withAgent(agent))).toBe(false);
  });

  test('by the request of the page itself, and not by that of a server', () => {
    const bot = { userAgent: 'Googlebot/2.1' };
    expect(drops('web-crawlers', thrown({ value: 'x' }), [], bot)).toBe(true);
    expect(drops('web-crawlers', thrown({ value: 'x' }, { platform: 'python' }), [], bot)).toBe(false);
  });
});

test.each<[string, string, boolean]>([
  ['IE', '11.0', true],
  ['Edge', '18.17763', true],
  ['Edge', '79.0.309', false],
  ['Chrome', '62.0.3202', true],
  ['Chrome Mobile', '63.0', false],
  ['Chrome', '141.0.0', false],
  ['Firefox', '66.0', true],
  ['Firefox', '140.0', false],
  ['Safari', '11.1', true],
  ['Mobile Safari', '12.0', false],
  ['Chrome', '', false],
  ['Ladybird', '1.0', false],
])('legacy browsers: %s %s: %s', (name, version, expected) => {
  const event = thrown({ value: 'x' }, { contexts: { browser: { name, version } } });
  expect(drops('legacy-browsers', event)).toBe(expected);
  expect(drops('legacy-browsers', { ...event, platform: 'node' })).toBe(false);
});

test.each<[string, boolean]>([
  ['http://localhost:3000/cart', true],
  ['http://LOCALHOST/', true],
  ['http://app.localhost:5173/', true],
  ['http://127.0.0.1:8080/', true],
  ['http://[::1]:3000/', true],
  ['https://localhost.example.com/', false],
  ['https://example.com/?next=http://localhost:3000/', false],
  ['https://mylocalhost.com/', false],
  ['https://127.0.0.1.example.com/', false],
  ['', false],
])('localhost: %s: %s', (url, expected) => {
  expect(drops('localhost', thrown({ value: 'x' }, { request: { url } }))).toBe(expected);
  // Behind a proxy, servers are asked for by their local name.
  expect(drops('localhost', thrown({ value: 'x' }, { request: { url }, platform: 'node' }))).toBe(false);
});

test.each<[string, string, boolean]>([
  ['ChunkLoadError', 'Loading chunk 42 failed. (error: https://shop.example.com/42.js)', true],
  ['Error', 'Loading CSS chunk 7 failed.', true],
  ['ChunkLoadError', 'Failed to load chunk /_next/static/chunks/4f.js from module 77', true],
  ['TypeError', 'Failed to fetch dynamically imported module: https://shop.example.com/a.js', true],
  ['TypeError', 'error loading dynamically imported module: https://shop.example.com/a.js', true],
  ['TypeError', 'Importing a module script failed.', true],
  ['TypeError', 'Failed to fetch', false],
  ['Error', 'Loading of chunk data failed', false],
  ['SyntaxError', "Unexpected token '<'", false],
])('chunk load: %s: %s: %s', (type, value, expected) => {
  expect(drops('chunk-load-error', thrown({ type, value }))).toBe(expected);
});

const segment = {
  release: '',
  environment: '',
  is_segment: 1 as const,
  platform: 'node',
  op: 'http.server',
  attributes: {},
};
const health = compileFilters({ active: ['filtered-transaction'], patterns: {} }) ?? expect.fail();

describe('health checks', () => {
  test.each([
    'GET /health',
    'GET /healthz',
    'GET /readyz',
    'GET /livez',
    'GET /ping',
    'GET /_health',
    'HEAD /api/health/',
    '/healthcheck',
    '/api/v1/health-check',
    'GET /actuator/health/liveness',
    'GET /q/health/live',
    'GET /-/ready',
    'GET /up',
    'GET http://shop:8080/healthz?full=1',
    'grpc.health.v1.Health/Check',
    'Rails::HealthController#show',
  ])('%s', (transaction) => {
    expect(judgeRow(health, 'spans', { ...segment, transaction } as never, {})).toBe('filtered-transaction');
  });

  test.each([
    '',
    'GET /',
    'GET /api/orders',
    'GET /health/articles',
    'GET /healthcare',
    'GET /mental-health',
    'GET /live',
    'GET /ready',
    'GET /start-up',
    'POST /ping',
    'POST /api/health',
    'GET /shipping',
    'health',
    'ping',
    'GET /users/{id}',
  ])('not %s', (transaction) => {
    expect(judgeRow(health, 'spans', { ...segment, transaction } as never, {})).toBeUndefined();
  });

  test('not a page that somebody opens', () => {
    for (const more of [{ op: 'pageload', platform: 'other' }, { platform: 'javascript' }])
      expect(judgeRow(health, 'spans', { ...segment, ...more, transaction: '/health' } as never, {})).toBeUndefined();
  });

  test.each<[Record<string, string>, boolean]>([
    [{ 'url.path': '/healthz' }, true],
    [{ 'http.route': '/api/health', 'url.path': '/x' }, true],
    [{ 'http.target': '/ping?full=1' }, true],
    [{ 'url.full': 'http://127.0.0.1:80/readyz' }, true],
    [{ 'url.path': '/cart/7' }, false],
    [{}, false],
  ])('one called GET alone goes by its path: %o: %s', (attributes, expected) => {
    const found = judgeRow(health, 'spans', { ...segment, transaction: 'GET', attributes } as never, {});
    expect(found !== undefined).toBe(expected);
  });

  test('their spans go by the name of their segment, errors do not', () => {
    const span = { ...segment, is_segment: 0, op: 'db', transaction: 'GET /healthz' };
    expect(judgeRow(health, 'spans', span as never, {})).toBe('filtered-transaction');
    expect(judgeRow(health, 'logs', span as never, {})).toBeUndefined();
    expect(
      judgeEvent(health, thrown({ value: 'x' }, { transaction: 'GET /healthz', platform: 'node' }), {}),
    ).toBeUndefined();
  });
});

test.each<[PatternFilterId, string[], object, boolean]>([
  ['release-version', ['1.*'], { release: '1.4.2' }, true],
  ['release-version', ['1.*'], { release: 'shop@1.4.2' }, false],
  ['release-version', ['*@1.*', '2'], { release: 'shop@1.4.2' }, true],
  ['release-version', ['*.*'], {}, false],
  ['environment', ['{dev,qa}*'], { environment: 'QA-3' }, true],
  ['environment', ['{dev,qa}*'], { environment: 'production' }, false],
  ['error-type', ['Abort*'], { exception: { values: [{ type: 'Error' }, { type: 'AbortError' }] } }, true],
  ['error-type', ['Abort*'], { exception: { values: [{ type: 'AbortError' }, { type: 'Error' }] } }, false],
  [
    'error-message',
    ['*timed out*'],
    { exception: { values: [{ type: 'E', value: 'Read timed out after 3 s' }] } },
    true,
  ],
  ['error-message', ['E: read*'], { exception: { values: [{ type: 'E', value: 'Read timed out after 3 s' }] } }, true],
  ['error-message', ['read'], { exception: { values: [{ type: 'E', value: 'Read timed out after 3 s' }] } }, false],
  ['error-message', ['job * done'], { logentry: { message: 'job %s done', formatted: 'job 7 done' } }, true],
])('%s %j: %j: %s', (id, patterns, event, expected) => {
  expect(drops(id, eventOf({ platform: 'node', ...event }), patterns)).toBe(expected);
});

test.each<[string[], string | undefined, string | undefined, boolean]>([
  [['203.0.113.7'], '203.0.113.7', undefined, true],
  [['203.0.113.0/24'], '203.0.113.200', undefined, true],
  [['203.0.113.0/24'], '203.0.114.1', undefined, false],
  [['203.0.113.0/24'], '10.0.0.1', '203.0.113.9', true],
  [['203.0.113.0/24'], '::ffff:203.0.113.9', undefined, true],
  [['2001:db8::/32'], '2001:db8:1::5', undefined, true],
  [['2001:db8::/32'], '2001:db9::5', undefined, false],
  [['0.0.0.0/0'], '2001:db8::5', undefined, false],
  [['203.0.113.0/24'], undefined, '{{auto}}', false],
  [['203.0.113.0/24'], 'unknown', undefined, false],
])('addresses %j: sent by %s, of %s: %s', (networks, remoteAddress, ip, expected) => {
  const event = thrown({ value: 'x' }, { user: ip === undefined ? undefined : { ip_address: ip } });
  expect(drops('ip-address', event, networks, { remoteAddress })).toBe(expected);
});

test('rows of all kinds go by release, environment and address', () => {
  const patterns = { environment: ['dev'], 'ip-address': ['203.0.113.0/24'] };
  const filters = compileFilters({ active: ['environment', 'ip-address'], patterns }) ?? expect.fail();
  for (const table of ['spans', 'logs', 'sessions'] as const) {
    const row = { ...segment, transaction: 'GET /' };
    expect(judgeRow(filters, table, { ...row, environment: 'dev' }, {})).toBe('environment');
    expect(judgeRow(filters, table, row, { remoteAddress: '203.0.113.7' })).toBe('ip-address');
    expect(judgeRow(filters, table, row, { remoteAddress: '192.0.2.1' })).toBeUndefined();
  }
});

test('one that is on without patterns, or off with them, drops nothing', () => {
  expect(compileFilters({ active: ['error-message', 'environment'], patterns: { environment: [] } })).toBeUndefined();
  expect(compileFilters({ active: [], patterns: { environment: ['dev'] } })).toBeUndefined();
});

test('texts that are made to take long do not', () => {
  const text = 'a'.repeat(100_000);
  const agents = [`${'a '.repeat(50_000)}bot`, 'bot-'.repeat(20_000), `Mozilla ${'spider'.repeat(20_000)}`];
  const all =
    compileFilters({
      active: filterIds,
      patterns: { 'error-message': Array.from({ length: 25 }, (_, index) => `${'*a'.repeat(90)}${index}b`) },
    }) ?? expect.fail();
  const started = performance.now();
  for (const agent of agents) {
    const event = thrown(
      { type: text, value: text, ...at(...Array.from({ length: 250 }, () => `https://${text.slice(0, 2000)}`)) },
      { request: { url: `http://${text}`, headers: [['User-Agent', agent]] }, transaction: `/${text}` },
    );
    judgeEvent(all, event, {});
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});

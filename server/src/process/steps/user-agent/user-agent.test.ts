import { describe, expect, it } from 'vitest';
import { readJson, report, sharedFolder } from '../conformance-data.ts';
import { tagValue } from '../event.ts';
import { makeEvent } from '../make-event.ts';
import { judgeUserAgents } from './conformance.ts';
import { parseClientHints } from './hints.ts';
import { addClientContexts, addDerivedTags } from './index.ts';
import { maxUserAgentLength, parseUserAgent } from './parse.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

describe('parseUserAgent', () => {
  it.each([
    ['Chrome on Windows', chrome, 'Chrome 126.0.0', 'Windows >=10', undefined],
    ['Safari on iPhone', iphone, 'Mobile Safari 17.5', 'iOS 17.5', 'iPhone'],
    [
      'Chrome on Android',
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.71 Mobile Safari/537.36',
      'Chrome Mobile 126.0.6478',
      'Android 14',
      'Pixel 8',
    ],
    [
      'Chrome on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1',
      'Chrome Mobile iOS 126.0.6478',
      'iOS 17.5',
      'iPhone',
    ],
    [
      'Firefox on Linux',
      'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
      'Firefox 127.0',
      'Linux ',
      undefined,
    ],
    [
      'Safari on a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari 17.5',
      'Mac OS X >=10.15.7',
      'Mac',
    ],
    ['Edge', `${chrome} Edg/126.0.2592.56`, 'Edge 126.0.2592', 'Windows >=10', undefined],
    ['curl', 'curl/8.5.0', 'curl 8.5.0', undefined, undefined],
    [
      'Googlebot',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'Googlebot 2.1',
      undefined,
      'Spider',
    ],
    ['nothing', '  ', undefined, undefined, undefined],
  ])('%s', (_name, header, browser, os, device) => {
    const seen = parseUserAgent(header);
    expect(seen.browser && `${seen.browser.name} ${seen.browser.version}`).toBe(browser);
    expect(seen.os && `${seen.os.name} ${seen.os.version}`).toBe(os);
    expect(seen.device?.family).toBe(device);
  });

  it('does not spend its time on what no browser sends', () => {
    expect(parseUserAgent('Android '.repeat(60))).toEqual({});
  });

  it('takes any text, of any length', () => {
    for (const text of [
      '(',
      '\\',
      'Mozilla/5.0 ('.repeat(500),
      `x${'('.repeat(maxUserAgentLength * 4)}`,
      '😀'.repeat(3000),
      '\0',
    ]) {
      expect(() => parseUserAgent(text)).not.toThrow();
    }
  });
});

describe('client hints', () => {
  it('skip the made-up brand and tell Windows 11 from 10', () => {
    const hints = {
      'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"',
      'sec-ch-ua-platform': '"Windows"',
      'sec-ch-ua-platform-version': '"15.0.0"',
      'sec-ch-ua-model': '""',
    };
    expect(parseClientHints(hints)).toEqual({
      browser: { name: 'Chrome', version: '126' },
      os: { name: 'Windows', version: '11' },
      device: undefined,
    });
  });
});

describe('addClientContexts', () => {
  it('fills a browser event, also from the headers of the request that brought it', () => {
    const event = makeEvent({ platform: 'javascript' });
    addClientContexts(event, { userAgent: iphone });
    addDerivedTags(event);
    expect(event.contexts).toMatchObject({
      browser: { name: 'Mobile Safari' },
      os: { name: 'iOS', version: '17.5' },
      device: { family: 'iPhone' },
    });
    expect(Object.fromEntries(event.tags)).toEqual({
      browser: 'Mobile Safari 17.5',
      'browser.name': 'Mobile Safari',
      os: 'iOS 17.5',
      'os.name': 'iOS',
      device: 'iPhone',
      'device.family': 'iPhone',
    });
  });

  it('keeps the server and the client apart, and replaces nothing', () => {
    const event = makeEvent({
      platform: 'node',
      contexts: {
        os: { name: 'Debian', version: '12' },
        browser: { name: 'Own' },
        runtime: { name: 'node', version: 'v24' },
      },
      tags: { 'os.name': 'mine' },
      request: { headers: { 'user-agent': chrome } },
    });
    addClientContexts(event, { userAgent: 'node' });
    addDerivedTags(event);
    expect(event.contexts).toMatchObject({
      os: { name: 'Debian' },
      client_os: { name: 'Windows' },
      browser: { name: 'Own' },
    });
    expect(tagValue(event, 'os.name')).toBe('mine');
    expect(tagValue(event, 'client_os.name')).toBe('Windows');
    expect(tagValue(event, 'runtime')).toBe('node v24');
  });

  it('does not take the agent of a server SDK for a browser', () => {
    const event = makeEvent({ platform: 'python' });
    addClientContexts(event, { userAgent: chrome });
    expect(event.contexts).toBeUndefined();
  });
});

const folder = sharedFolder('conformance/useragent', 'comparison of user agents with published cases') ?? '';
describe.skipIf(folder === '')('conformance of user agents', () => {
  it.each(['browser', 'os', 'device'])('%s', (part) => {
    expect(report(`user agents, ${part}`, judgeUserAgents(readJson(folder, `${part}.json`)))).toBe(1);
  });
});

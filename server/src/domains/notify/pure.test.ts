import { describe, expect, test } from 'vitest';
import { giveUpAfterMs, nextAttemptMs } from './backoff.ts';
import { checkConfig, hideSecrets, maskConfig } from './channel-config.ts';
import { judge } from './channels/index.ts';
import { slack } from './channels/slack.ts';
import { telegram } from './channels/telegram.ts';
import { gather } from './digest.ts';
import { momentOf, wallTime } from '../../base/wall-time.ts';
import { quietUntil } from './quiet-hours.ts';
import { notification } from './testing/people.ts';
import { cut, cutEscaped, escapeHtml } from './text.ts';
import type { QuietHours } from './types.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);
const every = [0, 1, 2, 3, 4, 5, 6];
const nights = (overrides: Partial<QuietHours> = {}): QuietHours => ({
  timeZone: 'Europe/Berlin',
  from: '22:00',
  until: '07:00',
  days: every,
  criticalPasses: true,
  ...overrides,
});

describe('quiet hours', () => {
  test.each([
    ['2026-06-01T19:59:59', undefined],
    ['2026-06-01T20:00:00', '2026-06-02T05:00:00'],
    ['2026-06-02T04:59:59', '2026-06-02T05:00:00'],
    ['2026-06-02T05:00:00', undefined],
    // The clock is put back that night: it has an hour more.
    ['2026-10-24T21:00:00', '2026-10-25T06:00:00'],
    // And forward: an hour less.
    ['2026-03-28T22:00:00', '2026-03-29T05:00:00'],
  ])('at %s until %s', (at, until) => {
    expect(quietUntil(nights(), utc(at))).toBe(until === undefined ? undefined : utc(until));
  });

  test('begin on their days only, and weekends are one stretch', () => {
    const weekend = nights({ timeZone: 'UTC', from: '00:00', until: '00:00', days: [6, 0] });
    expect(quietUntil(weekend, utc('2026-11-20T23:59:59'))).toBeUndefined();
    expect(quietUntil(weekend, utc('2026-11-21T00:00:00'))).toBe(utc('2026-11-23T00:00:00'));
    const friday = nights({ timeZone: 'UTC', days: [5] });
    expect(quietUntil(friday, utc('2026-11-21T03:00:00'))).toBe(utc('2026-11-21T07:00:00'));
    expect(quietUntil(friday, utc('2026-11-20T03:00:00'))).toBeUndefined();
    expect(quietUntil(nights({ days: [] }), utc('2026-11-20T23:00:00'))).toBeUndefined();
  });

  test('that never end come to an end', () => {
    const always = nights({ timeZone: 'UTC', from: '00:00', until: '00:00' });
    const at = utc('2026-11-20T12:00:00');
    const end = quietUntil(always, at) ?? 0;
    expect(end - at).toBeGreaterThan(0);
    expect(end - at).toBeLessThanOrEqual(9 * 86_400_000);
  });

  test('wall clocks and moments lead to one another', () => {
    for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia']) {
      const at = utc('2026-02-28T23:30:00');
      expect(momentOf(wallTime(at, zone), zone)).toBe(at);
    }
    // 02:30 is left out that night.
    const skipped = momentOf(utc('2026-03-29T02:30:00'), 'Europe/Berlin');
    expect(Math.abs(skipped - utc('2026-03-29T01:00:00'))).toBeLessThanOrEqual(3_600_000);
  });
});

describe('further attempts', () => {
  const facts = { firstAttemptMs: 0, nowMs: 0, random: 1 };
  test('come later and later, spread, at most an hour apart, for a day', () => {
    const waits = [1, 2, 3, 9, 30].map((attempts) => nextAttemptMs({ ...facts, attempts }));
    expect(waits).toEqual([15_000, 30_000, 60_000, 3_600_000, 3_600_000]);
    expect(nextAttemptMs({ ...facts, attempts: 1, random: 0 })).toBe(7_500);
    const last = { ...facts, attempts: 30, nowMs: giveUpAfterMs - 3_600_000 };
    expect(nextAttemptMs(last)).toBe(giveUpAfterMs);
    expect(nextAttemptMs({ ...last, nowMs: last.nowMs + 1 })).toBeUndefined();
  });

  test('wait as long as the receiver asks, within reason', () => {
    expect(nextAttemptMs({ ...facts, attempts: 1, afterMs: 90_000, random: 0 })).toBe(90_000);
    expect(nextAttemptMs({ ...facts, attempts: 1, afterMs: 10 ** 12, random: 0 })).toBe(6 * 3_600_000);
  });
});

describe('answers', () => {
  const answer = (status: number, body = '', overrides = {}) => ({
    status,
    body,
    retryAfter: undefined,
    location: undefined,
    ...overrides,
  });
  test.each([
    [200, 'sent'],
    [202, 'sent'],
    [204, 'sent'],
    [301, 'failed'],
    [400, 'failed'],
    [401, 'failed'],
    [404, 'failed'],
    [408, 'retry'],
    [410, 'failed'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [504, 'uncertain'],
  ])('%d is %s', (status, kind) => expect(judge(answer(status)).kind).toBe(kind));

  test('Slack and Telegram say in words what the status does not', () => {
    expect(judge(answer(200, '{"ok":true}'), slack).kind).toBe('sent');
    expect(judge(answer(200, 'ok'), slack).kind).toBe('sent');
    expect(judge(answer(200, '{"ok":false,"error":"channel_not_found"}'), slack)).toEqual({
      kind: 'failed',
      why: 'Slack: there is no such channel, or it is private. Invite the app there, then choose the channel again',
    });
    expect(judge(answer(200, '{"ok":false,"error":"ratelimited"}'), slack).kind).toBe('retry');
    const patience = '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}';
    expect(judge(answer(429, patience), telegram)).toMatchObject({ kind: 'retry', afterMs: 35_000 });
    expect(judge(answer(429, '', { retryAfter: '12' }))).toMatchObject({ afterMs: 12_000 });
    expect(judge(answer(429, '', { retryAfter: 'soon' }))).toMatchObject({ kind: 'retry', afterMs: undefined });
  });
});

describe('configurations', () => {
  test('are not in the words of a receiver', () => {
    const slackHook = { url: 'http://hooks.example/services/T0/B0/abcdefgh?x=1' };
    const said =
      'moved to https://hooks.example/services/T0/B0/abcdefgh?x=1, was http://hooks.example/services/T0/B0/abcdefgh?x=1';
    expect(hideSecrets('slack', slackHook, said)).toBe('moved to https://hooks.example…, was …');
    expect(hideSecrets('telegram', { token: '1:AAE', chat: '7' }, 'see /bot1:AAE/sendMessage of 7')).toBe(
      'see /bot…/sendMessage of 7',
    );
    expect(hideSecrets('slack', { url: 'https://hooks.example/' }, 'a/b')).toBe('a/b');
    expect(hideSecrets('email', { to: ['a@b.test'] }, 'rejected for a@b.test')).toBe('rejected for a@b.test');
  });

  const hook = { url: 'https://hooks.slack.com/services/T0/B0/abcdefgh' };
  test('keep what is left out, and ask for secrets again when they would go elsewhere', () => {
    const before = checkConfig('opsgenie', { key: 'k-123456789012345', apiUrl: '' });
    expect(before).toEqual({ key: 'k-123456789012345', apiUrl: 'https://api.opsgenie.com' });
    expect(checkConfig('opsgenie', { key: '' }, before)).toEqual(before);
    expect(() => checkConfig('opsgenie', { apiUrl: 'https://evil.example' }, before)).toThrow('enter it again');
    expect(checkConfig('opsgenie', { apiUrl: 'https://api.eu.opsgenie.com/', key: 'n' }, before)).toEqual({
      key: 'n',
      apiUrl: 'https://api.eu.opsgenie.com',
    });
    const bot = checkConfig('slack', { token: 'xoxb-1', channel: '#ops' });
    expect(checkConfig('slack', hook, bot)).not.toHaveProperty('token');
  });

  test.each([
    ['slack', {}, 'webhook'],
    ['slack', { token: 'xoxb-1' }, 'channel'],
    ['slack', { url: 'ftp://x' }, 'ftp:'],
    ['discord', { url: 'https://a:b@x/' }, 'password'],
    ['telegram', { token: '../x', chat: '1' }, 'BotFather'],
    ['webhook', { url: 'https://x/', secret: 'short' }, 'whsec_'],
    ['email', { to: [] }, 'address'],
    ['email', { to: ['a@b\r\nBcc: x@y'] }, 'mail address'],
    ['pagerduty', { key: 'a\nb' }, 'characters'],
  ] as const)('%s refuses %j', (type, config, words) => {
    expect(() => checkConfig(type, config)).toThrow(words);
  });

  test('show secrets by their end only', () => {
    expect(maskConfig('slack', hook)).toEqual({ url: 'https://hooks.slack.com/…efgh' });
    expect(maskConfig('telegram', { token: '1:short', chat: '5' })).toEqual({ token: '…', chat: '5' });
  });
});

describe('texts', () => {
  test('are cut whole', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('ab😀cd', 4)).toBe('ab…');
    expect(cutEscaped('<<<<<<', 13, escapeHtml)).toBe('&#60;&#60;…');
  });

  test('digests tell all in their order, and of one matter in its thread', () => {
    const place = { consoleUrl: 'http://c' };
    const one = notification({ title: 'First' });
    expect(gather([one], place)).toBe(one);
    const two = gather([one, notification({ title: 'Second', kind: 'comment', severity: 'info' })], place);
    expect(two).toMatchObject({ kind: 'digest', severity: 'critical', title: 'WEB-1: 2 updates', groupKey: 'issue:1' });
    expect(two.sections?.map(({ heading, lines }) => [heading, lines[0]?.title])).toEqual([
      ['Alerts', 'First'],
      ['Comments', 'Second'],
    ]);
    const many = Array.from({ length: 300 }, (_, n) => notification({ title: `T${n}`, groupKey: `issue:${n}` }));
    const all = gather([one, ...many], place);
    expect(all.title).toBe('301 notifications');
    expect(all.sections?.[0]?.lines).toHaveLength(41);
  });
});

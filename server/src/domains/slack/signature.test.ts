import { expect, test } from 'vitest';
import { judgeSignature, slackSignature } from './signature.ts';

// The example of https://docs.slack.dev/authentication/verifying-requests-from-slack.
const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const timestamp = '1531420618';
const body = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
);
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const at = Number(timestamp) * 1000;
const judge = (changed: Partial<Parameters<typeof judgeSignature>[1]>, nowMs = at, key = secret) =>
  judgeSignature(key, { timestamp, signature, body, ...changed }, nowMs);

test("Slack's own example is good, for five minutes either way", () => {
  expect(slackSignature(secret, timestamp, body)).toBe(signature);
  for (const ms of [0, 299_000, -299_000]) expect(judge({}, at + ms)).toBe('good');
  for (const ms of [301_000, -301_000, 86_400_000]) expect(judge({}, at + ms)).toBe('stale');
});

test.each([
  [{ signature: undefined }, 'unsigned'],
  [{ timestamp: undefined }, 'unsigned'],
  [{ timestamp: 'now' }, 'unsigned'],
  [{ timestamp: '-5' }, 'unsigned'],
  [{ timestamp: '1'.repeat(400) }, 'unsigned'],
  [{ timestamp: String(Number(timestamp) + 1) }, 'wrong'],
  [{ signature: '' }, 'wrong'],
  [{ signature: signature.slice(0, -1) }, 'wrong'],
  [{ signature: `${signature}0` }, 'wrong'],
  [{ signature: signature.toUpperCase() }, 'wrong'],
  [{ signature: signature.replace('v0', 'v1') }, 'wrong'],
  [{ signature: 'ä'.repeat(67) }, 'wrong'],
  [{ body: Buffer.concat([body, Buffer.from('&')]) }, 'wrong'],
  [{ body: Buffer.alloc(0) }, 'wrong'],
] as const)('%j is %s', (changed, verdict) => expect(judge(changed)).toBe(verdict));

test('another secret signs nothing here', () => expect(judge({}, at, `${secret}x`)).toBe('wrong'));

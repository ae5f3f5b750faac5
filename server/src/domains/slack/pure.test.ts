import { describe, expect, test } from 'vitest';
import { referenceIn, slackAppMessage, type SlackIssueState } from '../notify/index.ts';
import { notification } from '../notify/testing/people.ts';
import { isOfSlack } from './api.ts';
import { isReachable, manifestLink, requestUrl, slackManifest } from './manifest.ts';
import { addressOf, type SlackUser } from './people.ts';
import { readPress } from './press.ts';
import { blockFault } from './testing/block-kit.ts';
import { pressable, said } from './testing/workspace.ts';

const nasty =
  '<!channel> <@U1> @here *b* _i_ `c` [x](http://evil) http://evil.example :tada: & <http://evil|ok> \r\n\ud800 \0';

const hostile = (length = 1) => {
  const text = nasty.repeat(length);
  return notification({
    title: text,
    text,
    issue: { ...notification().issue!, title: text, culprit: text, release: text, environment: text },
    fields: Array.from({ length: 60 }, (_, n) => ({ name: `${n} ${text}`, value: text })),
    sections: Array.from({ length: 20 }, (_, n) => ({
      heading: `${n} ${text}`,
      lines: Array.from({ length: 60 }, () => ({ title: text, url: 'http://culprit.test/', text })),
    })),
  });
};
const told = { deliveryKey: 'alert:1:2', nowMs: 1_700_000_000_000 };
const state: SlackIssueState = { status: 'unresolved', statusBy: '', assignee: '', reopenedBy: '', unassignedBy: '' };
type Message = Parameters<typeof pressable>[0] & { readonly text: string };
const messageOf = (...args: Parameters<typeof slackAppMessage>): Message =>
  JSON.parse(JSON.stringify(slackAppMessage(...args))) as Message;

describe('messages', () => {
  test.each([1, 3, 50, 2_000])('keep to the limits of Block Kit, however hostile the texts are: × %d', (length) => {
    for (const nothing of ['', 'x'.repeat(200)]) {
      const message = messageOf(hostile(length), { ...told, deliveryKey: `${nasty}${nothing}`.slice(0, 200) });
      expect(blockFault(message)).toBeUndefined();
    }
  });

  test('mean what they say: no text of an event is a link, a mention or an emoji', () => {
    const all = JSON.stringify(
      slackAppMessage(hostile(), { ...told, state: { ...state, statusBy: nasty, assignee: nasty } }),
    );
    const { text } = messageOf(hostile(), told);
    expect(text).not.toMatch(/[<>]/);
    expect(all).not.toContain('mrkdwn');
    expect(all).not.toContain('"emoji":true');
    const links = [...all.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
    expect(new Set(links)).toEqual(new Set(['http://culprit.test/issues/WEB-1', 'http://culprit.test/']));
  });

  test('offer what can be done as the issue is, and say who did it', () => {
    const usual = ['assign_me', 'assign'];
    const of = (changed: Partial<SlackIssueState>) =>
      messageOf(notification(), { ...told, state: { ...state, ...changed } });
    expect(pressable(messageOf(notification(), told))).toEqual(['resolve', 'archive', ...usual]);
    expect(pressable(messageOf(notification({ severity: 'resolved' }), told))).toEqual(['unresolve', ...usual]);
    const resolved = of({ status: 'resolved', statusBy: 'Ada', assignee: 'Bob' });
    expect(pressable(resolved)).toEqual(['unresolve', ...usual, 'unassign']);
    expect(said(resolved)).toBe('Resolved by Ada. Assigned to Bob.');
    expect(pressable(of({ status: 'archived' }))).toEqual(['unarchive', ...usual]);
    expect(said(of({ reopenedBy: 'Ada\n<!here>' }))).toBe('Reopened by Ada <!here>.');
    expect(pressable(messageOf(notification({ issue: undefined }), told))).toEqual([]);
    expect(pressable(messageOf(notification({ kind: 'test', issue: undefined }), told))).toEqual(['check']);
  });

  test('refer to their issue and delivery, under another id each time', () => {
    const ids = [1, 2].map((nowMs) => messageOf(notification(), { ...told, nowMs }).blocks.at(-1)?.block_id ?? '');
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.map(referenceIn)).toEqual([1, 2].map(() => ({ issueId: 1, deliveryKey: 'alert:1:2' })));
    for (const wrong of ['', '1', 'x.1.y', '1234567890.1.y', '1.zzzzzzzzzzzzzzzz.y', '-1.1.y'])
      expect(referenceIn(wrong), wrong).toBeUndefined();
  });
});

describe('presses', () => {
  const payload = {
    type: 'block_actions',
    team: { id: 'T1' },
    user: { id: 'U1' },
    response_url: 'https://hooks.slack.com/actions/1',
    actions: [{ action_id: 'resolve', block_id: '7.abc.alert:1' }],
  };
  const read = (changed: object) =>
    readPress(Buffer.from(new URLSearchParams({ payload: JSON.stringify({ ...payload, ...changed }) }).toString()));

  test('are read', () => {
    expect(read({})).toMatchObject({
      action: 'resolve',
      reference: { issueId: 7, deliveryKey: 'alert:1' },
      userId: 'U1',
    });
  });

  test.each([
    ['another kind', { type: 'view_submission' }],
    ['another action', { actions: [{ action_id: 'delete', block_id: '7.abc.x' }] }],
    ['a name of every object', { actions: [{ action_id: 'constructor', block_id: '7.abc.x' }] }],
    ['another block', { actions: [{ action_id: 'resolve', block_id: 'x' }] }],
    ['no action', { actions: [] }],
    ['nobody chosen', { actions: [{ action_id: 'assign', block_id: '7.abc.x', selected_user: null }] }],
    ['nowhere to answer', { response_url: undefined }],
  ])('%s is ignored', (_, changed) => expect(read(changed)).toBe('ignored'));

  test.each([
    ['nothing', ''],
    ['no payload', 'a=b'],
    ['no JSON', 'payload={'],
    ['no object', 'payload=7'],
    ['nobody', `payload=${encodeURIComponent(JSON.stringify({ ...payload, user: null }))}`],
    ['a long name', `payload=${encodeURIComponent(JSON.stringify({ ...payload, user: { id: 'U'.repeat(99) } }))}`],
  ])('%s cannot be read', (_, body) => expect(readPress(Buffer.from(body))).toBeUndefined());
});

test('answers go to Slack alone', () => {
  const api = 'https://slack.com/api';
  for (const url of ['https://hooks.slack.com/actions/1', 'https://slack.com/x'])
    expect(isOfSlack(url, api)).toBe(true);
  for (const url of [
    'http://hooks.slack.com/1',
    'https://hooks.slack.com.evil.example/1',
    'https://evilslack.com/1',
    'https://hooks.slack.com:8443/1',
    'https://me@hooks.slack.com/1',
    'https://127.0.0.1/',
    'x',
  ])
    expect(isOfSlack(url, api), url).toBe(false);
  expect(isOfSlack('http://127.0.0.1:81/', 'http://127.0.0.1:80/api')).toBe(false);
});

test('the manifest has this installation in it', () => {
  const manifest = slackManifest('https://culprit.example.com', 'org/1');
  expect(manifest.settings.interactivity.request_url).toBe('https://culprit.example.com/slack/org%2F1/actions');
  const link = new URL(manifestLink(manifest));
  expect(JSON.parse(link.searchParams.get('manifest_json') ?? '')).toEqual(manifest);
  expect(requestUrl('https://a.example', 'o')).toBe('https://a.example/slack/o/actions');
  // Slack's own limits.
  expect(manifest.display_information.name.length).toBeLessThanOrEqual(35);
  expect(manifest.display_information.description.length).toBeLessThanOrEqual(140);
  for (const url of ['https://culprit.example.com', 'https://1.1.1.1']) expect(isReachable(url), url).toBe(true);
  for (const url of ['http://culprit.example.com', 'https://localhost', 'https://10.0.0.1', 'https://[::1]', ''])
    expect(isReachable(url), url).toBe(false);
});

describe('people', () => {
  const user: SlackUser = {
    team_id: 'T1',
    deleted: false,
    is_bot: false,
    is_stranger: false,
    is_email_confirmed: true,
    profile: { email: 'ada@example.com' },
  };
  const app = { teamId: 'T1', enterpriseId: null };
  const grid = { teamId: 'T1', enterpriseId: 'E1' };

  test('have the address that Slack has confirmed', () => {
    expect(addressOf(user, app)).toEqual({ email: 'ada@example.com' });
    const elsewhere = { ...user, team_id: 'T2', enterprise_user: { enterprise_id: 'E1' } };
    expect(addressOf(elsewhere, grid)).toEqual({ email: 'ada@example.com' });
  });

  test.each<[string, Partial<SlackUser>]>([
    ['of another workspace', { team_id: 'T2' }],
    ['of no workspace', { team_id: undefined }],
    ['of a shared channel', { is_stranger: true }],
    ['of another company', { team_id: 'T2', enterprise_user: { enterprise_id: 'E2' } }],
    ['deleted', { deleted: true }],
    ['a bot', { is_bot: true }],
    ['without an address', { profile: {} }],
    ['with one that nobody confirmed', { is_email_confirmed: false }],
  ])('%s are nobody here', (_, changed) => {
    for (const one of [app, grid]) expect(addressOf({ ...user, ...changed }, one)).toHaveProperty('why');
  });
});

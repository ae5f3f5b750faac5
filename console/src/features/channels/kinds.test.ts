import { describe, expect, test } from 'vitest';
import { configOf, kindNames, kinds, missingField, newSecret, shownConfig, stepsOf, valuesOf } from './kinds.ts';
import type { Channel } from './queries.ts';

const channel: Channel = {
  id: '1',
  type: 'telegram',
  name: 'Ops',
  enabled: true,
  config: { token: '…abcd', chat: '-100', apiUrl: 'https://api.telegram.org' },
  quietHours: null,
  health: 'ok',
  problem: '',
  failingSince: null,
  lastSent: null,
  unsubscribed: [],
  dateCreated: '2026-01-01T00:00:00.000Z',
};

describe('kinds of channels', () => {
  test('are filled in, and what stays as it is is left out', () => {
    expect(configOf('email', { to: ' a@b.c,d@e.f\n g@h.i ', other: 'x' })).toEqual({ to: ['a@b.c', 'd@e.f', 'g@h.i'] });
    expect(configOf('telegram', { token: '  ', chat: ' -5 ' })).toEqual({ chat: '-5' });
  });

  test('show no secret again', () => {
    expect(valuesOf(channel)).toEqual({ chat: '-100' });
    expect(valuesOf({ ...channel, type: 'email', config: { to: ['a@b.c', 'd@e.f'] } })).toEqual({ to: 'a@b.c, d@e.f' });
  });

  test('say what is missing', () => {
    for (const [kind] of kindNames) expect(missingField(kind, {}, false)?.key).toBe(kinds[kind].fields[0]?.key);
    expect(missingField('slack', { way: 'bot', token: 'xoxb' }, false)?.key).toBe('channel');
    expect(missingField('slack', { way: 'app' }, false)?.key).toBe('channel');
    expect(missingField('slack', { url: 'https://x' }, false)).toBeUndefined();
    expect(missingField('telegram', { chat: '1' }, true)).toBeUndefined();
    expect(missingField('telegram', { chat: ' ' }, true)?.key).toBe('chat');
  });

  test('of Slack are reached in one way of three', () => {
    const values = { url: 'https://x', token: 'xoxb', channel: '#ops' };
    expect(configOf('slack', { ...values, way: 'app' })).toEqual({ via: 'app', channel: '#ops' });
    expect(configOf('slack', { ...values, way: 'bot' })).toEqual({ token: 'xoxb', channel: '#ops' });
    expect(configOf('slack', { ...values, way: '' })).toEqual({ url: 'https://x' });
    const app: Channel = { ...channel, type: 'slack', config: { via: 'app', channel: 'C1', channelName: 'ops' } };
    expect([valuesOf(app), shownConfig(app)]).toEqual([{ way: 'app', channel: '#ops' }, ['#ops']]);
    expect(valuesOf({ ...app, config: { token: '…', channel: '#ops' } })).toEqual({ way: 'bot', channel: '#ops' });
    expect(valuesOf({ ...app, config: { url: '…' } })).toEqual({ way: 'webhook' });
    for (const way of ['app', 'bot', 'webhook']) expect(stepsOf('slack', { way }).length).toBeGreaterThan(1);
  });

  test('secrets are as the server takes them', () => {
    expect(newSecret((bytes) => bytes.fill(255))).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

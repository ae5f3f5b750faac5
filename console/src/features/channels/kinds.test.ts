import { describe, expect, test } from 'vitest';
import { configOf, kindNames, kinds, missingField, newSecret, valuesOf } from './kinds.ts';
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
    expect(missingField('slack', { token: 'xoxb' }, false)?.key).toBe('channel');
    expect(missingField('slack', { url: 'https://x' }, false)).toBeUndefined();
    expect(missingField('telegram', { chat: '1' }, true)).toBeUndefined();
    expect(missingField('telegram', { chat: ' ' }, true)?.key).toBe('chat');
  });

  test('secrets are as the server takes them', () => {
    expect(newSecret((bytes) => bytes.fill(255))).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

import { describe, expect, it } from 'vitest';
import { settleClientAddress } from './client-address.ts';
import { makeEvent } from './make-event.ts';

const remote = '203.0.113.9';

function addressOf(raw: object, remoteAddress: string | undefined = remote, store = true): string | undefined {
  const event = makeEvent(raw);
  settleClientAddress(event, remoteAddress, store);
  return event.user?.ip_address;
}

describe('settleClientAddress', () => {
  const auto = { user: { ip_address: '{{auto}}' } };
  const inferIp = (infer_ip: string): object => ({ sdk: { name: 's', settings: { infer_ip } } });
  it.each<[string, object, string | undefined]>([
    ['asked for', auto, remote],
    ['asked for and forbidden', { ...auto, ...inferIp('never') }, undefined],
    ['allowed and not given', inferIp('auto'), remote],
    ['browsers of old', { platform: 'javascript' }, remote],
    ['browsers that forbid it', { platform: 'javascript', ...inferIp('never') }, undefined],
    ['servers of old', { platform: 'python' }, undefined],
    ['given', { platform: 'javascript', user: { ip_address: '198.51.100.1' } }, '198.51.100.1'],
    ['given, but none', { user: { ip_address: 'not an address' } }, undefined],
  ])('%s', (_name, raw, expected) => {
    expect(addressOf(raw)).toBe(expected);
  });

  it('takes REMOTE_ADDR where the server does not know, and cleans addresses', () => {
    expect(addressOf({ ...auto, request: { env: { REMOTE_ADDR: '192.0.2.1:8080' } } }, '')).toBe('192.0.2.1');
    expect(addressOf(auto, '::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(addressOf(auto, '[2001:db8::1]:443')).toBe('2001:db8::1');
    expect(addressOf(auto, 'fe80::1%eth0')).toBe('fe80::1');
  });

  it('keeps none where the project wants none', () => {
    const event = makeEvent({
      platform: 'javascript',
      user: { id: '1', ip_address: '198.51.100.1' },
      request: { env: { REMOTE_ADDR: remote } },
      sdk: { client_ip: remote },
    });
    settleClientAddress(event, remote, false);
    expect(JSON.stringify(event)).not.toMatch(/198\.51|203\.0/);
    expect(event.user).toEqual({ id: '1' });
  });
});

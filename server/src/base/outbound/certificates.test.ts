/** Calls over https: to receivers that prove their name, and to no other. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { callOutside } from './call.ts';
import type { OutboundAnswer } from './exchange.ts';

/** Of receiver.test and 127.0.0.1, signed by itself, until 2120; for this test alone. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4gUZHuApXkAaS68S
u9TLJ4fO/afR7/FiaTjKaEPIgVKhRANCAARYd9H2ULOSxC/HjMDm1RniHKWDZPha
RkmI2/LKVX3ADkaGMrt1OkmSvKP/aV5uO7FgH52IJ2c5mMLDDzhiDBAs
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWHfR
9lCzksQvx4zA5tUZ4hylg2T4WkZJiNvyylV9wA5GhjK7dTpJkryj/2lebjuxYB+d
iCdnOZjCww84YgwQLKNSMFAwDwYDVR0TAQH/BAUwAwEB/zAeBgNVHREEFzAVgg1y
ZWNlaXZlci50ZXN0hwR/AAABMB0GA1UdDgQWBBQRIw+VX8PC4sVKH5sBpg+h/c59
djAKBggqhkjOPQQDAgNIADBFAiEAzkvPIoiniVdth/eEF437JZZAijLxu4jMq5V+
Vtjq2SgCIC5m8xf/rI+1YLDo60qcnMz6A18v4gFm19PXUS6zwq80
-----END CERTIFICATE-----`;

let server: Server;
let reached = 0;

beforeAll(async () => {
  server = createServer({ key, cert }, (_request, response) => {
    reached += 1;
    response.end('said');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const call = (host: string, authority?: string): Promise<OutboundAnswer> =>
  callOutside(
    {
      method: 'POST',
      url: `https://${host}:${(server.address() as AddressInfo).port}/`,
      headers: {},
      body: 'secret',
      confined: true,
    },
    { allow: parseAllowList('127.0.0.1'), lookup: async () => ['127.0.0.1'], authority },
  );

test('a receiver whose certificate an authority signed is called', async () => {
  for (const host of ['receiver.test', '127.0.0.1']) {
    expect(await call(host, cert)).toMatchObject({ status: 200, body: 'said' });
  }
});

test('one that nobody vouches for, and one of another name, get not a byte', async () => {
  const before = reached;
  for (const [host, authority] of [
    ['receiver.test'],
    ['127.0.0.1'],
    ['another.test', cert],
    ['localhost', cert],
  ] as const) {
    await expect(call(host, authority)).rejects.toMatchObject({
      stage: 'connect',
      message: expect.stringMatching(/self-signed certificate|does not match certificate/),
    });
  }
  expect(reached).toBe(before);
});

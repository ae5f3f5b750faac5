/** The newest NATS; `npm test` runs the same on Debian's. */
import { afterAll, beforeAll } from 'vitest';
import { type NatsServer, startNats } from '../../../test/nats/server.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { eventLogContract } from './contract.ts';

const box = testSecrets.boxSetup('log record');
let server: NatsServer;
beforeAll(async () => {
  server = await startNats({ newest: true });
});
afterAll(() => server[Symbol.asyncDispose]());

eventLogContract('the newest nats', async () => ({ url: `${server.url()}?ack_wait=1`, dataDir: '', box }), {
  isExact: false,
  silentMs: 1_000,
});

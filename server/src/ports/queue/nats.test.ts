import { afterAll, beforeAll } from 'vitest';
import { type NatsServer, startNats } from '../../../test/nats/server.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { eventLogContract } from './contract.ts';

const box = testSecrets.boxSetup('log record');
let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server[Symbol.asyncDispose]());

eventLogContract('nats', async () => ({ url: `${server.url()}?ack_wait=1`, dataDir: '', box }), {
  isExact: false,
  silentMs: 1_000,
});

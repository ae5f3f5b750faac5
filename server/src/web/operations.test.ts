import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { CodedError } from '../base/errors.ts';
import { type Probes, registerOperations } from './operations.ts';

let app: FastifyInstance;
afterEach(() => app?.close());

function open(metrics: '' | 'public'): void {
  const unused = (): never => {
    throw new Error('not asked for');
  };
  const probes: Probes = {
    log: { stats: () => ({ records: 0, bytes: 0, limitBytes: 1, unreadable: 0 }) },
    ingest: () => undefined,
    disk: async () => undefined,
    jobs: async () => [{ name: 'exports', attempts: 2 }],
    nodes: async () => [],
    stores: () => [{ store: 'log', state: 'slow', since: 0 }],
    engineRestarts: () => 0,
    pipeline: () => undefined,
    eventsReady: async () => true,
    stateReady: async () => true,
    failures: { note: unused },
    checkToken: () => Promise.reject(new CodedError('METRICS_CLOSED')),
    roles: ['intake', 'process', 'api', 'jobs'],
    isDraining: () => false,
    config: { metrics },
  };
  app = fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply
      .code(error instanceof CodedError ? error.status : 500)
      .send({ code: error instanceof CodedError && error.code }),
  );
  registerOperations(app, probes);
}

const statusFor = async (remoteAddress: string, headers: Record<string, string> = {}): Promise<number> =>
  (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;

test('metrics are for this machine', async () => {
  open('');
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    expect(await statusFor(address)).toBe(200);
  for (const address of ['203.0.113.9', '10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '127.evil']) {
    expect(await statusFor(address)).toBe(401);
  }
  expect(await statusFor('127.0.0.1', { 'x-forwarded-for': '' })).toBe(401);
  const ready = await app.inject({ url: '/readyz', remoteAddress: '203.0.113.9' });
  expect(ready.json()).toEqual({
    status: 'ready',
    log: { ok: true },
    events: true,
    state: true,
  });
});

test('metrics are for anybody where that is said', async () => {
  open('public');
  expect(await statusFor('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' })).toBe(200);
});

test('the process is watched from the first look on', async () => {
  open('');
  for (let look = 1; look <= 2; look++) {
    const { body } = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    expect(body).toMatch(/^process_resident_memory_bytes \d/m);
    expect(body).toMatch(/^culprit_log_records 0$/m);
  }
});

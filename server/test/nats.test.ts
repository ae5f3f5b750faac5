/** The whole program with its log in NATS. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { startNats } from './nats/server.ts';

test('an event becomes an issue; while NATS is away requests are refused, and nothing is lost', async () => {
  await using nats = await startNats();
  const url = nats.url('whole');
  await using server = await Server.create({ CULPRIT_LOG_URL: url });
  const { dsn, organization } = server.installed;
  const send = (id = newEventId(), body: string | Buffer = errorEnvelope(id)) =>
    fetch(envelopeUrl(dsn), { method: 'POST', body });
  expect((await send()).status).toBe(200);
  const list = `/organizations/${organization}/issues/`;
  const count = async (): Promise<number> => Number((await server.api<{ count: string }[]>(list))[0]?.count ?? 0);
  await server.until('the issue', async () => (await count()) === 1);

  // Larger than a message of NATS.
  const large = Buffer.concat([
    Buffer.from(errorEnvelope(newEventId())),
    Buffer.from(`{"type":"attachment","length":3000000,"filename":"a.bin"}\n`),
    Buffer.alloc(3_000_000, 7),
    Buffer.from('\n'),
  ]);
  expect((await send('', large)).status).toBe(200);
  await server.until('the large one', async () => (await count()) === 2);

  await nats.kill();
  const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as { log: { ok: boolean } };
  await server.until('it is noticed', async () => !(await ready()).log.ok);
  const refused = await server.until('requests are refused', async () => {
    const answer = await send();
    return answer.status === 503 ? answer : undefined;
  });
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.json()).toMatchObject({ code: 'LOG_UNAVAILABLE' });
  expect((await ready()).log).toMatchObject({ ok: false, awaySince: expect.any(String) });
  const down = await culprit(['doctor'], { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_LOG_URL: url });
  expect(down.stdout).toMatch(/NATS at 127\.0\.0\.1:\d+ does not respond/);

  await nats.start();
  await server.until('they are taken again', async () => (await send()).status === 200);
  await server.until('it is stored', async () => (await count()) === 3);
  const up = await culprit(['doctor'], { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_LOG_URL: url });
  expect(up.stdout).toMatch(/version 2\.9\..* 1 replica, messages up to 1/);

  const dir = await mkdtemp(join(tmpdir(), 'culprit-stranger-'));
  const refusal = await culprit(['serve'], { CULPRIT_DATA_DIR: dir, CULPRIT_LOG_URL: url, CULPRIT_PORT: '0' });
  await rm(dir, { recursive: true });
  expect(refusal.code).toBe(1);
  expect(refusal.stderr).toMatch(/"whole-…" in NATS at \S+ belong to another installation .* a prefix of its own/);

  const backup = await culprit(['backup', `${server.dataDir}-backup`], {
    CULPRIT_DATA_DIR: server.dataDir,
    CULPRIT_LOG_URL: url,
  });
  expect(backup.stdout + backup.stderr).toMatch(/the log in NATS \(use nats stream backup\)/);
}, 180_000);

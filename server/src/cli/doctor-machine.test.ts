/** What the doctor warns of that no test machine has: a clock that is wrong, little memory, a directory that others read. */
import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Config } from '../base/config.ts';
import { checkClock, checkMemory, checkPort, wrongRights } from './doctor-machine.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-doctor-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

const config = (more: Partial<Config> = {}): Config =>
  ({ dataDir, stateUrl: '', url: 'https://errors.example.com', host: '127.0.0.1', port: 0, ...more }) as Config;

test('a clock that went back, one that differs from the proxy, and one that is right', async () => {
  expect(await checkClock(config(), undefined)).toMatchObject({ state: 'ok' });
  // A header says whole seconds.
  expect(await checkClock(config(), 2_500)).toMatchObject({ state: 'ok' });
  for (const aheadMs of [10_000, -10_000]) {
    expect(await checkClock(config(), aheadMs)).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('https://errors.example.com'),
    });
  }
  const file = join(dataDir, 'state.db');
  await writeFile(file, '');
  const later = new Date(Date.now() + 3_600_000);
  await utimes(file, later, later);
  expect(await checkClock(config(), undefined)).toMatchObject({ state: 'failed' });
});

test('too little memory, and too little that is free', () => {
  const megabyte = 1024 ** 2;
  const limit = vi.spyOn(process, 'constrainedMemory').mockReturnValue(512 * megabyte);
  const free = vi.spyOn(process, 'availableMemory').mockReturnValue(400 * megabyte);
  expect(checkMemory()).toMatchObject({ state: 'warning', detail: expect.stringContaining('0.5') });
  // As the system says that there is no limit.
  limit.mockReturnValue(2 ** 63);
  free.mockReturnValue(100 * megabyte);
  expect(checkMemory()).toMatchObject({ state: 'warning', detail: expect.stringContaining('0.1') });
  free.mockReturnValue(512 * megabyte);
  expect(checkMemory()).toMatchObject({ state: 'ok' });
});

test('a data directory that others can read, or of somebody else', async () => {
  expect(await wrongRights(dataDir)).toBeUndefined();
  await chmod(dataDir, 0o750);
  expect(await wrongRights(dataDir)).toMatchObject({ state: 'warning', detail: expect.stringContaining(dataDir) });
  await chmod(dataDir, 0o700);
  const own = process.getuid?.() ?? 0;
  vi.spyOn(process, 'getuid').mockReturnValue(own + 1);
  expect(await wrongRights(dataDir)).toMatchObject({ state: 'warning', detail: expect.stringContaining(String(own)) });
});

test('a port that somebody has', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect(await checkPort(config({ port }))).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(`${port}`),
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await checkPort(config({ port }))).toMatchObject({ state: 'ok' });
});

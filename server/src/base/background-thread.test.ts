import { getPriority } from 'node:os';
import { platform } from 'node:process';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const script = `
  const { readFileSync, readlinkSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('./background-thread.ts', import.meta.url).href)}).then(({ runInBackground }) => {
    runInBackground();
    const stat = readFileSync('/proc/' + readlinkSync('/proc/thread-self') + '/stat', 'utf8');
    parentPort.postMessage(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });`;

test.runIf(platform === 'linux')('a thread steps back, the process does not', async () => {
  const before = getPriority();
  const worker = new Worker(script, { eval: true });
  const [nice] = (await once(worker, 'message')) as [string];
  expect(Number(nice)).toBe(10);
  expect(getPriority()).toBe(before);
});

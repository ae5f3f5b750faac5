/** A thread that computes hashes of passwords, one at a time. */
import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { runInBackground, yielding } from '../../../base/background-thread.ts';
import type { HashJob } from './threads.ts';

/** The parameters of every stored hash; to change them is to lock everybody out. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };

// Whoever tries passwords must not slow down those who send events.
runInBackground(yielding);
const port = parentPort;
port?.on('message', ({ password, salt }: HashJob) => {
  port.postMessage(scryptSync(password.normalize('NFKC'), salt, 64, cost).toString('hex'));
});

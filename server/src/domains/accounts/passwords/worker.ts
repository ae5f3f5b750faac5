/** A thread that computes hashes of passwords, one at a time. */
import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { runInBackground, yielding } from '../../../base/background-thread.ts';
import type { Cost, HashJob } from './threads.ts';

const optionsOf = ({ ln, r, p }: Cost) => ({ N: 2 ** ln, r, p, maxmem: 128 * 2 ** ln * r * 2 });

// Whoever tries passwords must not slow down those who send events.
runInBackground(yielding);
const port = parentPort;
port?.on('message', ({ password, salt, cost }: HashJob) => {
  port.postMessage(scryptSync(password.normalize('NFKC'), salt, 64, optionsOf(cost)).toString('hex'));
});

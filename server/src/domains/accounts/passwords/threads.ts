/**
 * Hashing takes a core for a quarter of a second on purpose. In the threads that Node shares among everything, ten sign-ins
 * at once would hold up every commit of the log; so it has threads of its own, two at most, a bounded queue before them,
 * and none while nobody signs in. They are no background work: who signs in waits for the answer, so that each has its
 * turn here, and a hash that died with its thread is not tried again.
 */
import type { Worker } from 'node:worker_threads';
import { CodedError } from '../../../base/errors.ts';
import { startThread } from '../../../base/jobs/index.ts';

/** Of scrypt: 2^ln rounds, blocks of r, p times. */
export interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export interface HashJob {
  readonly password: string;
  readonly salt: string;
  readonly cost: Cost;
}

interface Waiting extends HashJob {
  resolve(key: string): void;
  reject(error: unknown): void;
}

export interface HashThreads {
  /** Resolves to the key in hex; `first` goes before those who wait. Throws `SIGN_IN_BUSY` where too many wait already. */
  run(job: HashJob, options?: { readonly first?: boolean }): Promise<string>;
  /** For tests: how many threads there are. */
  readonly size: number;
}

const maxThreads = 2;
/** Kept free for those who go first. */
const reserve = 8;
const retryAfterSeconds = 4;

/** `maxWaiting` hashes are some four seconds of work on a quiet machine. */
export function createHashThreads({ idleMs = 10_000, maxWaiting = 32 } = {}): HashThreads {
  const queue: Waiting[] = [];
  const threads = new Set<Worker>();
  const idle = new Set<{ readonly take: () => void }>();

  const start = (): void => {
    const worker = startThread({ module: new URL('./worker.ts', import.meta.url), name: 'passwords' });
    threads.add(worker);
    let current: Waiting | undefined;
    let timer: NodeJS.Timeout | undefined;
    const entry = { take: (): void => next() };
    const next = (): void => {
      clearTimeout(timer);
      idle.delete(entry);
      current = queue.shift();
      if (current) {
        worker.ref();
        const { password, salt, cost } = current;
        worker.postMessage({ password, salt, cost } satisfies HashJob, []);
        return;
      }
      // Nobody's process is kept alive by a thread that has nothing to do.
      worker.unref();
      idle.add(entry);
      timer = setTimeout(() => {
        leave();
        void worker.terminate();
      }, idleMs).unref();
    };
    const leave = (): boolean => {
      idle.delete(entry);
      return threads.delete(worker);
    };
    const fail = (error: unknown): void => {
      if (!leave()) return;
      current?.reject(error);
      if (queue.length > 0) start();
    };
    worker.on('message', (key: string) => {
      current?.resolve(key);
      next();
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread that hashes passwords ended')));
    next();
  };

  return {
    run: (wanted, { first = false } = {}) =>
      new Promise((resolve, reject) => {
        if (queue.length >= (first ? maxWaiting + reserve : maxWaiting)) {
          reject(new CodedError('SIGN_IN_BUSY', [retryAfterSeconds], { retryAfter: retryAfterSeconds }));
          return;
        }
        const job = { ...wanted, resolve, reject };
        if (first) queue.unshift(job);
        else queue.push(job);
        const [free] = idle;
        if (free) free.take();
        else if (threads.size < maxThreads) start();
      }),
    get size() {
      return threads.size;
    },
  };
}

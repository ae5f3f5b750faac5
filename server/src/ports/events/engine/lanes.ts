/**
 * Sessions on one data directory, in lanes. A session runs one statement at a time, several sessions run truly in
 * parallel; so inserts have sessions of their own that no slow read can occupy, and so have cancellations.
 */
import { RequestError } from './request.ts';

export const laneSizes = { read: 3, insert: 2, command: 1, control: 1 } as const;
export type LaneName = keyof typeof laneSizes;

/** Statements that may wait in one lane before more are refused. */
const maxWaiting = 200;

interface Waiting<Resource> {
  readonly start: (resource: Resource) => void;
}

/** A fixed number of resources, lent to one task each; tasks beyond that wait in order. */
export class Lane<Resource> {
  readonly #idle: Resource[];
  readonly #waiting: Waiting<Resource>[] = [];

  constructor(resources: readonly Resource[]) {
    this.#idle = [...resources];
  }

  /** Refuses with `TOO_MANY_SIMULTANEOUS_QUERIES` when too many wait, and with the signal's reason when it aborts before the start. */
  async run<T>(task: (resource: Resource) => Promise<T>, signal: AbortSignal): Promise<T> {
    const resource = this.#idle.pop() ?? (await this.#turn(signal));
    try {
      signal.throwIfAborted();
      return await task(resource);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start(resource);
      else this.#idle.push(resource);
    }
  }

  #turn(signal: AbortSignal): Promise<Resource> {
    if (this.#waiting.length >= maxWaiting) {
      throw new RequestError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many statements are waiting');
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting<Resource> = {
        start: (resource) => {
          signal.removeEventListener('abort', leave);
          resolve(resource);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

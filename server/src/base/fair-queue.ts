/**
 * Lends a few slots to many. The next one goes to whoever has the fewest, among equals to who had one the longest ago; and
 * nobody ever has them all.
 */

interface FairQueueOptions {
  readonly slots: number;
  /** Of one key. */
  readonly slotsEach: number;
  /** Tasks of one key that may wait; of one more `refuse` makes the error. */
  readonly waitingEach: number;
  readonly refuse: () => Error;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #running = new Map<string, number>();
  /** The oldest first. */
  readonly #waiting = new Set<Waiting>();
  /** When each began its last task, in tasks; while anybody waits. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;
  #free: number;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  /** Throws the signal's reason where that aborts before the task could start. */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0 && this.#has(key) < this.#options.slotsEach) this.#take(key);
    else await this.#turn(key, signal);
    try {
      return await task();
    } finally {
      this.#giveBack(key);
    }
  }

  #has(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #take(key: string): void {
    this.#free--;
    this.#running.set(key, this.#has(key) + 1);
    this.#lastTurn.set(key, ++this.#turns);
  }

  #giveBack(key: string): void {
    this.#free++;
    if (this.#has(key) > 1) this.#running.set(key, this.#has(key) - 1);
    else this.#running.delete(key);
    const next = this.#next();
    if (!next) {
      if (this.#waiting.size === 0) this.#lastTurn.clear();
      return;
    }
    this.#waiting.delete(next);
    this.#take(next.key);
    next.start();
  }

  #next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const each of this.#waiting) {
      if (this.#has(each.key) >= this.#options.slotsEach) continue;
      if (!best || this.#comesBefore(each.key, best.key)) best = each;
    }
    return best;
  }

  #comesBefore(key: string, other: string): boolean {
    const fewer = this.#has(key) - this.#has(other);
    return fewer < 0 || (fewer === 0 && (this.#lastTurn.get(key) ?? 0) < (this.#lastTurn.get(other) ?? 0));
  }

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    const before = [...this.#waiting].filter((each) => each.key === key).length;
    if (before >= this.#options.waitingEach) throw this.#options.refuse();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        key,
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiting);
    });
  }
}

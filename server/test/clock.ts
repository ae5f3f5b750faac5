/** A clock that a test can move, for a whole program in processes of its own. See `clock-preload.ts`. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const preload = new URL('./clock-preload.ts', import.meta.url);

export class Clock implements AsyncDisposable {
  readonly #dir: string;
  #offset = 0;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  static async create(): Promise<Clock> {
    const clock = new Clock(await mkdtemp(join(tmpdir(), 'culprit-clock-')));
    await clock.move(0);
    return clock;
  }

  get #file(): string {
    return join(this.#dir, 'offset');
  }

  /** What a process must be given to go by this clock. */
  get environment(): Readonly<Record<string, string>> {
    const others = process.env['NODE_OPTIONS'] ?? '';
    return { CULPRIT_TEST_CLOCK: this.#file, NODE_OPTIONS: `${others} --import=${fileURLToPath(preload)}`.trim() };
  }

  /** What the processes take for now; ms since the epoch. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Forward by so many milliseconds, or back. Resolves when all threads go by it. */
  async move(byMs: number): Promise<void> {
    this.#offset += byMs;
    const next = `${this.#file}.next`;
    await writeFile(next, String(this.#offset));
    await rename(next, this.#file);
    await delay(20);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }
}

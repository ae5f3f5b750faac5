/** Segments that were read lately stay open for a moment: to open one takes as long as reading from three. */
import { OpenSegment } from './open-segment.ts';

const idleMs = 2_000;
const most = 16;

interface Held {
  readonly opening: Promise<OpenSegment | undefined>;
  users: number;
  /** Nobody else takes it. */
  isLeft: boolean;
  timer?: NodeJS.Timeout | undefined;
}

export class OpenSegments {
  readonly #dir: string;
  readonly #held = new Map<number, Held>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Undefined where there is none. */
  async use<T>(segment: number, work: (open: OpenSegment) => Promise<T>): Promise<T | undefined> {
    const held = this.#take(segment);
    clearTimeout(held.timer);
    held.users++;
    try {
      const open = await held.opening;
      if (!open) this.#leave(segment, held);
      return open && (await work(open));
    } catch (error) {
      this.#leave(segment, held);
      throw error;
    } finally {
      held.users--;
      this.#settle(segment, held);
    }
  }

  /** Of one, or of all: what is there now is found by who comes next. */
  forget(segment?: number): void {
    for (const [number, held] of this.#held) {
      if (segment !== undefined && number !== segment) continue;
      this.#leave(number, held);
      this.#settle(number, held);
    }
  }

  #take(segment: number): Held {
    const known = this.#held.get(segment);
    if (known) return known;
    for (const [number, held] of this.#held) {
      if (this.#held.size < most) break;
      this.#leave(number, held);
      this.#settle(number, held);
    }
    const held: Held = { opening: OpenSegment.open(this.#dir, segment), users: 0, isLeft: false };
    this.#held.set(segment, held);
    return held;
  }

  #leave(segment: number, held: Held): void {
    held.isLeft = true;
    if (this.#held.get(segment) === held) this.#held.delete(segment);
  }

  #settle(segment: number, held: Held): void {
    clearTimeout(held.timer);
    if (held.users > 0) return;
    if (held.isLeft) void close(held.opening);
    else held.timer = setTimeout(() => (this.#leave(segment, held), this.#settle(segment, held)), idleMs).unref();
  }
}

async function close(opening: Promise<OpenSegment | undefined>): Promise<void> {
  await (await opening.catch(() => undefined))?.[Symbol.asyncDispose]();
}

/**
 * The answers that were asked for last, for a while. What changes them is told to those that stand here and to those that
 * are being read alike, for a reading may miss it.
 */
import { steadyMs } from '../../../base/steady.ts';

export interface Standing<Answer, Note> {
  /** Undefined while it is read. */
  readonly answer: Answer | undefined;
  /** When the events store was asked, by `steadyMs`. */
  readonly readAt: number;
  /** Of who keeps it: what it has to know of the question, or has learnt since. */
  readonly note: Note;
  forget(): void;
}

interface Entry<Answer, Note> extends Standing<Answer, Note> {
  readonly answer: Answer;
}

export class RecentAnswers<Answer, Note> {
  /** By question; those asked for last at the end. */
  readonly #entries = new Map<string, Entry<Answer, Note>>();
  /** Under way. */
  readonly #readings = new Set<Standing<Answer, Note>>();
  readonly #most: number;
  readonly #oldMs: number;

  constructor({ most, oldMs }: { readonly most: number; readonly oldMs: number }) {
    this.#most = most;
    this.#oldMs = oldMs;
  }

  /** `note`: of a question that is read. `isUsable`: whether what stands is given out still. */
  async ask(
    key: string,
    note: Note,
    read: () => Promise<Answer>,
    isUsable: (note: Note) => boolean = () => true,
  ): Promise<Pick<Entry<Answer, Note>, 'answer' | 'note'>> {
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known && steadyMs() - known.readAt < this.#oldMs && isUsable(known.note)) {
      this.#entries.set(key, known);
      return known;
    }
    let isForgotten = false;
    const readAt = steadyMs();
    const reading = { answer: undefined, readAt, note, forget: () => (isForgotten = true) };
    this.#readings.add(reading);
    try {
      const answer = await read();
      const entry = { answer, readAt, note, forget: () => this.#entries.delete(key) };
      if (!isForgotten) this.#keep(key, entry);
      return entry;
    } finally {
      this.#readings.delete(reading);
    }
  }

  standing(): Standing<Answer, Note>[] {
    return [...this.#entries.values(), ...this.#readings];
  }

  forgetAll(): void {
    for (const one of this.standing()) one.forget();
  }

  #keep(key: string, entry: Entry<Answer, Note>): void {
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}

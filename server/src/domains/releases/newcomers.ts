/**
 * Names that found no room, in case they come again. Whoever invents names sends each of them once; what is real comes
 * again, and then takes the place of an invention. In memory of each thread and bounded: it decides nothing but whose turn it is.
 */

const maxRemembered = 20_000;
/** Events of one moment are no return. */
const returnAfterMs = 1_000;
/** This part of a budget may be replaced in a minute: who sends each invention twice does not turn the list over. */
const replacedAMinute = 1 / 25;
const minuteMs = 60_000;

export class Newcomers {
  /** When a name was turned away first, the longest ago first. */
  readonly #turnedAway = new Map<string, number>();
  readonly #replaced = new Map<string, { readonly since: number; count: number }>();

  /** Takes note of a name that comes without room; true when it came before. */
  hasReturned(key: string, now: number): boolean {
    const before = this.#turnedAway.get(key);
    if (before === undefined) {
      if (this.#turnedAway.size >= maxRemembered) {
        const [oldest] = this.#turnedAway.keys();
        if (oldest !== undefined) this.#turnedAway.delete(oldest);
      }
      this.#turnedAway.set(key, now);
      return false;
    }
    return now - before >= returnAfterMs;
  }

  forget(key: string): void {
    this.#turnedAway.delete(key);
  }

  /** Of so many names that would replace others of a budget, how many may by now. */
  allow({ name, most }: { readonly name: string; readonly most: number }, wanted: number, now: number): number {
    const known = this.#replaced.get(name);
    const current = known && now - known.since < minuteMs ? known : { since: now, count: 0 };
    const allowed = Math.min(wanted, Math.ceil(most * replacedAMinute) - current.count);
    current.count += allowed;
    if (!known && this.#replaced.size >= maxRemembered) this.#replaced.clear();
    this.#replaced.set(name, current);
    return allowed;
  }
}

/**
 * What was taken of a category in a minute or a month, of one organisation, project or key: by this node, and as the
 * state store last said, by all of them.
 *
 * A term follows from the time alone. Where the clock is put back, the term before goes on from what the store knows of it.
 */
import { type QuotaCategory, type QuotaPeriod, type QuotaTerm, quotaTermAt } from '../../base/quotas.ts';

/** What is to be added to a count in the state store; nothing, where it is only asked for. */
export interface QuotaUse {
  readonly target: string;
  readonly category: QuotaCategory;
  readonly period: QuotaPeriod;
  readonly term: number;
  readonly added: number;
}

const before: QuotaTerm = { number: -1, startMs: 0, endMs: 0 };

export class Counter {
  readonly #target: string;
  readonly #category: QuotaCategory;
  readonly #period: QuotaPeriod;
  readonly #left: (use: QuotaUse) => void;
  #term = before;
  #timeZone = '';
  /** Of all nodes, as the store last said. */
  #sum = 0;
  /** Since then, on their way into the store. */
  #sent = 0;
  /** Since then. */
  #added = 0;
  /** The term has not been asked for yet. */
  #isNew = true;

  /** `left` is given what a term was used that is over. */
  constructor(target: string, category: QuotaCategory, period: QuotaPeriod, left: (use: QuotaUse) => void) {
    this.#target = target;
    this.#category = category;
    this.#period = period;
    this.#left = left;
  }

  /** To be called before the others: the count is that of this moment. True where the store has to be asked. */
  turnTo(nowMs: number, timeZone: string): boolean {
    if (nowMs >= this.#term.startMs && nowMs < this.#term.endMs && timeZone === this.#timeZone) return false;
    this.#timeZone = timeZone;
    const term = quotaTermAt(this.#period, nowMs, timeZone);
    const isOther = term.number !== this.#term.number;
    if (isOther) {
      if (this.#added !== 0) this.#left(this.#use(this.#added));
      this.#added = 0;
      this.#sum = 0;
      this.#sent = 0;
      this.#isNew = true;
    }
    this.#term = term;
    return isOther;
  }

  get used(): number {
    return this.#sum + this.#sent + this.#added;
  }

  /** When the term ends, ms since the epoch. */
  get endMs(): number {
    return this.#term.endMs;
  }

  /** The store is asked with what is sent next, though it may have nothing to be told. */
  ask(): void {
    this.#isNew = true;
  }

  add(quantity: number): void {
    this.#added += quantity;
  }

  /** What the store does not know yet; undefined where there is nothing to tell or ask, or it was told already. */
  send(): QuotaUse | undefined {
    if (this.#term === before || this.#sent !== 0 || (this.#added === 0 && !this.#isNew)) return undefined;
    const use = this.#use(this.#added);
    this.#sent = this.#added;
    this.#added = 0;
    this.#isNew = false;
    return use;
  }

  /** The store has it; `sum` is of all nodes. */
  isStored({ term }: QuotaUse, sum: number): void {
    if (term !== this.#term.number) return;
    this.#sum = sum;
    this.#sent = 0;
  }

  /** The store did not take it. */
  isNotStored(use: QuotaUse): void {
    if (use.term === this.#term.number) {
      this.#added += use.added;
      this.#sent = 0;
      this.#isNew = true;
    } else if (use.added !== 0) {
      this.#left(use);
    }
  }

  #use(added: number): QuotaUse {
    const { number: term } = this.#term;
    return { target: this.#target, category: this.#category, period: this.#period, term, added };
  }
}

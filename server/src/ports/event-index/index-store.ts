/** A file of the index, opened: the tables of its weeks, and what it knows of itself. */
import { type Database, open, type RootDatabase } from 'lmdb';
import { dropOthers, openTables, tableKinds, type Week } from './tables.ts';

const maxWeeks = 500;
/** More than these are not kept, whatever retention says. */
export const mostWeeks = maxWeeks - 10;
/** A batch writes each page anew that it touches, and what was there before is free for a later one alone. */
const pageBytes = 1_024;

export class IndexStore {
  readonly root: RootDatabase;
  readonly facts: Database<unknown, string>;
  /** Of hashes, or whole projects, since when the engine is asked about them; ms since the epoch. */
  readonly unsure: Database<number, string>;
  readonly #weeks = new Map<number, Week>();
  #ordered: readonly Week[] = [];

  constructor(path: string) {
    const maxDbs = tableKinds.length * (maxWeeks + 1) + 8;
    this.root = open({ path, maxDbs, pageSize: pageBytes, noSync: true, overlappingSync: false });
    this.facts = this.root.openDB({ name: 'facts', encoding: 'json' });
    this.unsure = this.root.openDB({ name: 'unsure', encoding: 'json' });
    for (const { key, value } of this.facts.getRange({ start: 'week ', end: 'week!' })) {
      const week = Number(key.slice('week '.length));
      this.#weeks.set(week, openTables(this.root, week, Number(value)));
    }
    this.#order();
  }

  /** Newest first. */
  get weeks(): readonly Week[] {
    return this.#ordered;
  }

  week(number: number): Week | undefined {
    return this.#weeks.get(number);
  }

  /** Makes its tables, in transactions of their own, where there are none. */
  openWeek(number: number): Week {
    const known = this.#weeks.get(number);
    if (known) return known;
    if (this.#weeks.size >= maxWeeks) throw new Error('the event index has no room for more weeks');
    const opened = openTables(this.root, number, 0);
    this.facts.putSync(`week ${number}`, opened.generation);
    this.useWeek(opened);
    return opened;
  }

  /** In the place of the one of its number. */
  useWeek(week: Week): void {
    this.#weeks.set(week.week, week);
    this.#order();
  }

  leaveWeek({ week }: Week): void {
    this.#weeks.delete(week);
    this.#order();
  }

  /** What copies that were not finished, and weeks that were written anew, have left when a kill came. */
  dropOthers(): void {
    dropOthers(this.root, this.#ordered);
  }

  close(): Promise<void> {
    return this.root.close();
  }

  #order(): void {
    this.#ordered = [...this.#weeks.values()].sort((a, b) => b.week - a.week);
  }
}

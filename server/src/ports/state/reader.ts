/**
 * Reads a table by id and misses nothing: on PostgreSQL a smaller id may become visible later than a larger one, so ids
 * that were left out are asked for again for a minute, and the place that is written down stays before them. What is read
 * again after a restart has the cause that it had.
 */

const chunk = 200;
const lateMs = 60_000;
const maxMissing = 2_000;

export interface Read<Row> {
  readonly after: (id: number, limit: number) => Promise<readonly Row[]>;
  readonly among: (ids: readonly number[]) => Promise<readonly Row[]>;
}

export class Reader<Row extends { readonly id: number }> {
  readonly #read: Read<Row>;
  readonly #missing = new Map<number, number>();
  #newest: number;

  constructor(from: number, read: Read<Row>) {
    this.#newest = from;
    this.#read = read;
  }

  /** Everything up to it has been taken. */
  get place(): number {
    return this.#missing.size > 0 ? Math.min(...this.#missing.keys()) - 1 : this.#newest;
  }

  /** Gives what is new to `take`; whether there may be more. A `take` that throws gets the same rows again. */
  async next(take: (rows: readonly Row[]) => Promise<void>): Promise<boolean> {
    if (this.#missing.size > 0) {
      const late = await this.#read.among([...this.#missing.keys()]);
      await take(late);
      for (const { id } of late) this.#missing.delete(id);
      const nowMs = Date.now();
      for (const [id, at] of this.#missing) if (nowMs - at > lateMs) this.#missing.delete(id);
    }
    const rows = await this.#read.after(this.#newest, chunk);
    await take(rows);
    for (const { id } of rows) {
      // The nearest ones: what is late is late by little.
      for (let left = Math.max(this.#newest + 1, id - maxMissing); left < id; left += 1) {
        if (this.#missing.size < maxMissing) this.#missing.set(left, Date.now());
      }
      this.#newest = id;
    }
    return rows.length === chunk;
  }
}

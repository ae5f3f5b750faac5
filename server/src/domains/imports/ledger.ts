/** What has come already: the ids here by those there, so that nothing comes twice and a run goes on where it stopped. */
import { chunksOf } from '../../base/chunks.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Kind } from './source.ts';

export interface Entry {
  /** '' where nothing came of it. */
  readonly target: string;
  /** The run that saw it last. */
  readonly runId: number;
}

type Database = State['db'] | StateTransaction;

export class Ledger {
  readonly #db: Database;
  readonly #organizationId: string;
  readonly #origin: string;
  readonly runId: number;

  constructor(db: Database, organizationId: string, origin: string, runId: number) {
    this.#db = db;
    this.#organizationId = organizationId;
    this.#origin = origin;
    this.runId = runId;
  }

  /** The same as part of a transaction. */
  within(trx: StateTransaction): Ledger {
    return new Ledger(trx, this.#organizationId, this.#origin, this.runId);
  }

  async find(kind: Kind, id: string): Promise<Entry | undefined> {
    return (await this.findMany(kind, [id])).get(id);
  }

  async findMany(kind: Kind, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const found = new Map<string, Entry>();
    for (const chunk of chunksOf(ids, 500)) {
      const rows = await this.#of(kind)
        .select(['foreign_id', 'target', 'run_id'])
        .where('foreign_id', 'in', chunk)
        .execute();
      for (const row of rows) found.set(row.foreign_id, { target: row.target, runId: row.run_id });
    }
    return found;
  }

  /** How many others came to the same. */
  async othersOf(kind: Kind, target: string, id: string): Promise<number> {
    const { n } = await this.#of(kind)
      .select(({ fn }) => fn.countAll<number | string>().as('n'))
      .where('target', '=', target)
      .where('foreign_id', '!=', id)
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  async note(kind: Kind, id: string, target: string | number): Promise<void> {
    const row = { target: String(target), run_id: this.runId };
    await this.#db
      .insertInto('import_item')
      .values({ organization_id: this.#organizationId, origin: this.#origin, kind, foreign_id: id, ...row })
      .onConflict((conflict) => conflict.columns(['organization_id', 'origin', 'kind', 'foreign_id']).doUpdateSet(row))
      .execute();
  }

  #of(kind: Kind) {
    return this.#db
      .selectFrom('import_item')
      .where('organization_id', '=', this.#organizationId)
      .where('origin', '=', this.#origin)
      .where('kind', '=', kind);
  }
}

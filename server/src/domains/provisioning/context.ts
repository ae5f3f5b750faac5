/** What a change by a directory happens in: one transaction, with what it tells the audit log and others afterwards. */
import type { Note } from '../audit/index.ts';
import type { State } from '../../ports/state/state.ts';

export interface Change {
  /** Of the transaction. */
  readonly inside: State;
  readonly note: Note;
  readonly organizationId: string;
  readonly now: number;
  /** Who has other access afterwards: their streams are looked at. */
  readonly touched: Set<string>;
  /** Who is no member any more: their issues are taken off them. */
  readonly gone: Set<string>;
}

/** One change of a directory at a time, on every node: what it looks up first stays so until it is written. */
export async function alone({ inside, organizationId }: Change): Promise<void> {
  await inside.db
    .updateTable('organization')
    .set((row) => ({ slug: row.ref('slug') }))
    .where('id', '=', organizationId)
    .execute();
}

/**
 * Notes changes of what has no history of its own, in the transaction in which they come to pass: webhooks read them by id,
 * and so miss nothing. They are kept for a week.
 */
import { chunksOf } from '../../base/chunks.ts';
import type { State, StateTransaction } from './state.ts';
import type { ChangeNoteTable } from './webhook-tables.ts';

const keptMs = 7 * 86_400_000;

export interface ChangeNote {
  readonly what: ChangeNoteTable['what'];
  readonly targetId: number;
  readonly userId: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
  /** ms since the epoch. */
  readonly at: number;
}

export async function noteChanges(trx: StateTransaction, notes: readonly ChangeNote[]): Promise<void> {
  for (const chunk of chunksOf(notes, 500)) {
    await trx
      .insertInto('change_note')
      .values(
        chunk.map(({ what, targetId, userId, data = {}, at }) => ({
          what,
          target_id: targetId,
          user_id: userId,
          data: JSON.stringify(data),
          at,
        })),
      )
      .execute();
  }
}

export async function sweepChangeNotes({ db }: Pick<State, 'db'>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('change_note')
    .where('at', '<', nowMs - keptMs)
    .execute();
}

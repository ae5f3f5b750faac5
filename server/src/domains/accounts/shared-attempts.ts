/** Tries that all nodes count together, in the state store: as `attempts.ts` counts them in memory. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { State } from '../../ports/state/state.ts';
import { type Counted, type CountedOptions, pauseAfter } from './attempts.ts';

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** As `Tries.count`. */
export async function countAttempt(
  state: Pick<State, 'transaction'>,
  counted: readonly Counted[],
  { now, forgivenAt = 0 }: CountedOptions,
): Promise<number> {
  const last = counted.at(-1);
  return state.transaction(async (trx) => {
    let waitMs = 0;
    for (const one of counted) {
      const { kind, rules } = one;
      const row = await trx
        .selectFrom('sign_in_attempt')
        .selectAll()
        .where('kind', '=', kind)
        .where('key_hash', '=', hashOf(one.key))
        .executeTakeFirst();
      if (!row) continue;
      const isOver = now - row.last_at >= rules.forgottenAfterMs;
      const ownMs = isOver ? 0 : Math.max(0, row.last_at + pauseAfter(rules, row.wrong) - now);
      if (isOver || (one === last && ownMs > 0 && row.since < forgivenAt)) {
        await trx.deleteFrom('sign_in_attempt').where('kind', '=', kind).where('key_hash', '=', row.key_hash).execute();
      } else waitMs = Math.max(waitMs, ownMs);
    }
    if (waitMs > 0) return waitMs;
    for (const { kind, key } of counted) {
      await trx
        .insertInto('sign_in_attempt')
        .values({ kind, key_hash: hashOf(key), wrong: 1, since: now, last_at: now })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'key_hash'])
            .doUpdateSet({ wrong: sql<number>`sign_in_attempt.wrong + 1`, last_at: now }),
        )
        .execute();
    }
    return 0;
  });
}

/** Takes back one that was not wrong. */
export async function takeBackAttempt({ db }: Pick<State, 'db'>, counted: readonly Counted[]): Promise<void> {
  for (const { kind, key } of counted) {
    await db
      .updateTable('sign_in_attempt')
      .set({ wrong: sql<number>`wrong - 1` })
      .where('kind', '=', kind)
      .where('key_hash', '=', hashOf(key))
      .where('wrong', '>', 0)
      .execute();
  }
}

/** None of the rules remembers longer than that. */
export async function deleteOldAttempts({ db }: Pick<State, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('last_at', '<', before).execute();
}

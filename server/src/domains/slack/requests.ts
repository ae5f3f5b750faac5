/** Requests of Slack that were taken: each once, whichever node it comes to. */
import { createHash } from 'node:crypto';
import type { State } from '../../ports/state/state.ts';
import { goodForMs } from './signature.ts';

/** False where it was taken before. Those whose signature is too old by now are forgotten. */
export async function takeRequest(
  { db }: State,
  { organizationId, signature }: { readonly organizationId: string; readonly signature: string },
  nowMs: number,
): Promise<boolean> {
  const hash = createHash('sha256').update(`${organizationId} ${signature}`).digest('hex');
  // A timestamp may be as far ahead of this clock as behind it.
  await db
    .deleteFrom('slack_request')
    .where('at', '<', nowMs - 3 * goodForMs)
    .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('slack_request')
    .values({ hash, at: nowMs })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

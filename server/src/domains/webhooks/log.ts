/** What is to be sent to webhooks, and was: enqueued once of each cause, bounded, kept for a while, sent again on demand. */
import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { unclaimed } from '../../ports/state/claims.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { WebhookDeliveryTable } from '../../ports/state/webhook-tables.ts';
import { bodyOf, type Happening } from './bodies.ts';
import type { Webhook } from './store.ts';

/** Of one webhook that wait; what comes on top is left out and counted. */
export const maxWaiting = 10_000;
/** Of one webhook that are over. */
const maxKept = 10_000;
export const keptMs = 30 * 86_400_000;
/** Sent again with one call. */
const maxReplayed = 10_000;

export interface Try {
  readonly at: number;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The beginning of the answer. */
  readonly answer: string;
  /** Why it did not arrive; '' where it did. */
  readonly why: string;
}

export interface WebhookDelivery {
  readonly id: number;
  readonly uuid: string;
  readonly event: string;
  readonly resource: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly detail: string;
  readonly tries: readonly Try[];
  readonly body: string;
  readonly createdAt: number;
  /** Of one that waits. */
  readonly dueAt: number;
  readonly finishedAt: number | null;
}

/** Those that there are already stay as they are. */
export async function enqueueAll(
  trx: StateTransaction,
  webhook: Webhook,
  happenings: readonly Happening[],
): Promise<void> {
  const { n } = await trx
    .selectFrom('webhook_delivery')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('webhook_id', '=', webhook.id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  const room = Math.max(0, maxWaiting - Number(n));
  const nowMs = Date.now();
  const fitting = happenings.slice(0, room);
  if (fitting.length < happenings.length) {
    await trx
      .updateTable('webhook')
      .set({ dropped: sql<number>`dropped + ${happenings.length - fitting.length}` })
      .where('id', '=', webhook.id)
      .execute();
  }
  for (const happening of fitting) {
    await trx
      .insertInto('webhook_delivery')
      .values({
        webhook_id: webhook.id,
        uuid: randomUUID(),
        cause: happening.cause,
        event: happening.event,
        resource: happening.resource,
        project_id: happening.projectIds[0] ?? null,
        body: bodyOf(happening, webhook.uuid),
        state: 'waiting',
        ...unclaimed(nowMs),
        detail: '',
        first_at: null,
        tries: '[]',
        created_at: nowMs,
        finished_at: null,
      })
      .onConflict((conflict) => conflict.columns(['webhook_id', 'cause']).doNothing())
      .execute();
  }
}

const toDelivery = (row: Selectable<WebhookDeliveryTable>): WebhookDelivery => ({
  id: row.id,
  uuid: row.uuid,
  event: row.event,
  resource: row.resource,
  state: row.state,
  detail: row.detail,
  tries: JSON.parse(row.tries) as Try[],
  body: row.body,
  createdAt: Number(row.created_at),
  dueAt: Number(row.due_at),
  finishedAt: row.finished_at === null ? null : Number(row.finished_at),
});

/** Newest first. */
export async function listWebhookDeliveries(
  { db }: Pick<State, 'db'>,
  request: {
    readonly webhookId: number;
    readonly state: WebhookDelivery['state'] | undefined;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<WebhookDelivery[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', request.webhookId)
    .$if(request.state !== undefined, (query) => query.where('state', '=', request.state ?? 'sent'))
    .orderBy('id', 'desc')
    .offset(request.offset)
    .limit(request.limit)
    .execute();
  return rows.map(toDelivery);
}

export async function findWebhookDelivery(
  { db }: Pick<State, 'db'>,
  webhookId: number,
  id: number,
): Promise<WebhookDelivery | undefined> {
  const row = await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toDelivery(row);
}

/** Once more, under the id that they had: one that is over, or all that failed. How many will be sent. */
export async function replay(
  { db }: Pick<State, 'db'>,
  webhookId: number,
  which: { readonly id: number } | 'failed',
): Promise<number> {
  const again = { state: 'waiting', ...unclaimed(Date.now()), detail: '', first_at: null, finished_at: null } as const;
  const ofWebhook = db.updateTable('webhook_delivery').set(again).where('webhook_id', '=', webhookId);
  const { numUpdatedRows } = await (
    which === 'failed'
      ? ofWebhook.where('id', 'in', (eb) =>
          eb
            .selectFrom('webhook_delivery')
            .select('id')
            .where('webhook_id', '=', webhookId)
            .where('state', '=', 'failed')
            .orderBy('id', 'desc')
            .limit(maxReplayed),
        )
      : ofWebhook.where('id', '=', which.id).where('state', '!=', 'waiting')
  ).executeTakeFirst();
  // Somebody says that it is repaired: no pause any more.
  await db.updateTable('webhook').set({ retry_at: 0 }).where('id', '=', webhookId).execute();
  return Number(numUpdatedRows);
}

/** What is over goes when it is old, or when a webhook has too many. */
export async function sweepWebhookDeliveries({ db }: Pick<State, 'db'>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('webhook_delivery')
    .where('finished_at', '<', nowMs - keptMs)
    .execute();
  const webhooks = await db.selectFrom('webhook').select('id').execute();
  for (const { id } of webhooks) {
    const oldest = await db
      .selectFrom('webhook_delivery')
      .select('id')
      .where('webhook_id', '=', id)
      .where('state', '!=', 'waiting')
      .orderBy('id', 'desc')
      .offset(maxKept)
      .limit(1)
      .executeTakeFirst();
    if (!oldest) continue;
    await db
      .deleteFrom('webhook_delivery')
      .where('webhook_id', '=', id)
      .where('state', '!=', 'waiting')
      .where('id', '<=', oldest.id)
      .execute();
  }
}

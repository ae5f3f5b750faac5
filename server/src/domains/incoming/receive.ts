/**
 * A verified request, done once. The note of it and all that it makes are one transaction: whatever a server that is
 * killed has not finished comes again, when the provider or a person sends it again.
 *
 *     new ─────────────── done ──────────► taken
 *         ─────────────── not for us ────► ignored
 *         ─────────────── cannot be done ► refused
 *     ignored, refused ── sent again ────► as if it were new: a mapping may be there now
 *     taken ───────────── sent again ────► stays: nothing is done again
 *
 * Those of an organisation change the same releases, so a node does one of them at a time: at once they would only make
 * each other's transactions fail.
 */
import { createHash } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import type { Live } from '../../base/live.ts';
import { incoming as texts } from '../../base/texts/incoming.ts';
import type { State } from '../../ports/state/state.ts';
import { within } from '../../ports/state/within.ts';
import { type Applied, apply } from './apply.ts';
import { readIncoming } from './read.ts';
import type { IncomingWebhook } from './store.ts';
import type { IncomingResult, Reading } from './types.ts';
import type { RequestHeaders } from './verify.ts';

const keptMs = 30 * 86_400_000;
const keptDeliveries = 1_000;
const longest = 1_000;

/** Organisations at once, each with one. */
const atOnce = 4;
const waitingEach = 500;
/** Of all bodies that wait. */
const waitingBytes = 64 * 1024 * 1024;
const busySeconds = 30;

interface Received {
  readonly result: IncomingResult | 'repeated';
  /** In sentences. */
  readonly detail: string;
}

interface IncomingRequest {
  readonly headers: RequestHeaders;
  /** As it came, which is what was signed. */
  readonly body: Buffer;
}

interface Stores {
  readonly state: State;
  readonly live: Pick<Live, 'publish'>;
}

/** Throws `INPUT_INVALID` for what cannot be read, `INCOMING_BUSY` where too many wait. */
export type Receive = (webhook: IncomingWebhook, request: IncomingRequest) => Promise<Received>;

export function createReceive(stores: Stores): Receive {
  const refuse = (): CodedError => new CodedError('INCOMING_BUSY', [busySeconds], { retryAfter: busySeconds });
  const queue = new FairQueue({ slots: atOnce, slotsEach: 1, waitingEach, refuse });
  let bytes = 0;
  return async (webhook, request) => {
    const { length } = request.body;
    if (bytes > 0 && bytes + length > waitingBytes) throw refuse();
    bytes += length;
    try {
      return await queue.run(webhook.organizationId, () => receive(stores, webhook, request));
    } finally {
      bytes -= length;
    }
  };
}

async function receive(
  { state, live }: Stores,
  webhook: IncomingWebhook,
  { headers, body }: IncomingRequest,
): Promise<Received> {
  const reading = readIncoming(webhook.provider, headers, body, Date.now());
  const digest = createHash('sha256').update(body).digest('hex');
  const note: NewNote = { webhookId: webhook.id, reading, digest };
  const applied = await state
    .transaction(async (trx) => {
      const inside = within(state, trx);
      // When it is done, not when it came: releases are ordered by this, and their commits by what was done first.
      const now = Date.now();
      const id = await claim(inside, note, now);
      if (id === undefined) return undefined;
      const done: Applied =
        'ignored' in reading
          ? { result: 'ignored', detail: reading.ignored, resolved: [] }
          : await apply(inside, webhook, reading.happening, now);
      await settle(inside, id, done);
      return done;
    })
    .catch((error: unknown) => refuse(state, note, error));
  if (!applied) return { result: 'repeated', detail: texts.repeated };
  for (const [projectId, issues] of Map.groupBy(applied.resolved, (issue) => issue.projectId)) {
    live.publish({ type: 'issues', projectId, issueIds: issues.map(({ id }) => id) });
  }
  return { result: applied.result, detail: applied.detail };
}

interface NewNote {
  readonly webhookId: number;
  readonly reading: Reading;
  readonly digest: string;
}

/** Undefined for what was taken before. Of two at once, one waits for the other. */
async function claim({ db }: State, { webhookId, reading, digest }: NewNote, now: number): Promise<number | undefined> {
  const { event, delivery } = reading;
  if (delivery !== '') {
    const same = await db
      .selectFrom('incoming_delivery')
      .select('id')
      .where('webhook_id', '=', webhookId)
      .where('delivery', '=', delivery)
      .where('result', '=', 'taken')
      .limit(1)
      .executeTakeFirst();
    if (same) return undefined;
  }
  const row = await db
    .insertInto('incoming_delivery')
    .values({
      webhook_id: webhookId,
      delivery,
      digest,
      event,
      result: 'ignored',
      detail: '',
      received_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['webhook_id', 'digest'])
        .doUpdateSet({ received_at: now, delivery, event })
        .where('incoming_delivery.result', '!=', 'taken'),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** With what is old now gone. */
async function settle(
  { db }: State,
  id: number,
  { result, detail }: Pick<Applied, 'result' | 'detail'>,
): Promise<void> {
  const row = await db
    .updateTable('incoming_delivery')
    .set({ result, detail: detail.slice(0, longest) })
    .where('id', '=', id)
    .returning(['webhook_id', 'received_at'])
    .executeTakeFirstOrThrow();
  await db
    .updateTable('incoming_webhook')
    .set({ refused_at: null, refusal: '' })
    .where('id', '=', row.webhook_id)
    .where('refused_at', 'is not', null)
    .execute();
  const oldest = await db
    .selectFrom('incoming_delivery')
    .select('received_at')
    .where('webhook_id', '=', row.webhook_id)
    .orderBy('received_at', 'desc')
    .offset(keptDeliveries)
    .limit(1)
    .executeTakeFirst();
  const until = Math.max(Number(row.received_at) - keptMs, oldest ? Number(oldest.received_at) : 0);
  await db
    .deleteFrom('incoming_delivery')
    .where('webhook_id', '=', row.webhook_id)
    .where('received_at', '<=', until)
    .where('id', '!=', id)
    .execute();
}

/** What cannot be done is noted, so that it can be seen and sent again. */
async function refuse(state: State, note: NewNote, error: unknown): Promise<Applied | undefined> {
  if (!(error instanceof CodedError) || error.status >= 500) throw error;
  const refused: Applied = { result: 'refused', detail: error.message, resolved: [] };
  await state.transaction(async (trx) => {
    const inside = within(state, trx);
    const id = await claim(inside, note, Date.now());
    if (id !== undefined) await settle(inside, id, refused);
  });
  return refused;
}

/**
 * Webhooks: what happened is read by id and enqueued, once for each webhook that wants it; what is enqueued is sent until
 * the receiver has taken it, for a day. At least once: a node that is killed between the answer and its note of it sends
 * again, under the same id.
 *
 *     waiting ── taken ──────────────► sent
 *             ── not taken ──────────► waiting, later each time; failed after a day
 *             ── a redirect, refused ► failed
 *             ── gone (410) ─────────► failed, and the webhook is disabled
 *     sent, failed ── replayed ──────► waiting
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAlarm, type Job, type JobContext } from '../../base/jobs/index.ts';
import type { AllowList, Lookup } from '../../base/outbound/index.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import { webhookNotice, webhookTexts } from '../../base/texts/webhooks.ts';
import { sweepChangeNotes } from '../../ports/state/change-notes.ts';
import { claimDue, nextClaimAt, released } from '../../ports/state/claims.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { enqueue, nextAttemptMs } from '../notify/index.ts';
import { bodyOf } from './bodies.ts';
import { createCollector } from './collect.ts';
import type { Stores } from './lookups.ts';
import { sweepWebhookDeliveries, type Try } from './log.ts';
import { send, type Sent } from './send.ts';
import { secretPlace, toWebhook, type Webhook } from './store.ts';

/** Failing for so long, it is disabled. */
export const disabledAfterMs = 3 * 86_400_000;
/** After an attempt that failed. */
const pauseMs = 15_000;
const atOnce = 8;
const keptTries = 10;
const toldRoles = ['owner', 'admin'];

export interface Webhooks {
  readonly jobs: readonly Job[];
  /** There may be something to send, or to hear of. */
  wake(): void;
  /** Sends a test now, past the queue. */
  test(webhook: Webhook): Promise<Sent>;
}

export interface WebhookOptions extends Stores {
  readonly box: TextBox;
  readonly allow: AllowList;
  /** Of the console, without a trailing slash; '' before the server listens. */
  readonly getUrl: () => string;
  readonly lookup?: Lookup | undefined;
}

/** One that fails is left alone for a while, so that it does not hold up others. */
const placeAt = (nowMs: number) =>
  ({
    table: 'webhook_delivery',
    ready: sql`state = 'waiting' and webhook_id in (select id from webhook where retry_at <= ${nowMs})`,
  }) as const;
type Row = Awaited<ReturnType<typeof claimDue<'webhook_delivery'>>>[number];

export function createWebhooks({ state, events, box, allow, getUrl, lookup }: WebhookOptions): Webhooks {
  const heard = createAlarm();
  const queued = createAlarm();
  let collector = createCollector({ state, events });

  const rowOf = (id: number) => state.db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst();

  async function attempt(
    id: number,
    delivery: { readonly uuid: string; readonly resource: string; readonly body: string },
    signal?: AbortSignal,
  ): Promise<Sent> {
    const row = await rowOf(id);
    const at = Date.now();
    const secret = row && box.open(row.secret, secretPlace(row.uuid));
    if (!row || secret === undefined) {
      const nothing = { at, status: null, durationMs: 0, answer: '', why: webhookTexts.otherKey };
      return { attempt: nothing, outcome: 'retry' };
    }
    const isLate = Number(row.former_until) > at && row.former_secret !== '';
    const former = isLate ? box.open(row.former_secret, secretPlace(row.uuid)) : undefined;
    const secrets = [secret, ...(former === undefined ? [] : [former])] as const;
    return send({ url: row.url, secrets, ...delivery }, { allow, lookup, signal });
  }

  async function deliver(row: Row, { node, signal }: JobContext): Promise<void> {
    const { attempt: one, outcome, afterMs } = await attempt(row.webhook_id, row, signal);
    // What was cut off because the server stops says nothing about the receiver.
    if (signal.aborted && outcome !== 'sent') return;
    const nowMs = Date.now();
    const firstAt = Number(row.first_at ?? one.at);
    const next =
      outcome === 'retry'
        ? nextAttemptMs({
            attempts: row.attempts,
            firstAttemptMs: firstAt,
            nowMs,
            afterMs,
            random: Math.random(),
          })
        : undefined;
    const tries = [...(JSON.parse(row.tries) as Try[]), one].slice(-keptTries);
    await state.transaction(async (trx) => {
      const noted = await trx
        .updateTable('webhook_delivery')
        .set({
          ...released,
          tries: JSON.stringify(tries),
          first_at: firstAt,
          detail: one.why,
          state: outcome === 'sent' ? 'sent' : next === undefined ? 'failed' : 'waiting',
          ...(next === undefined ? { finished_at: nowMs } : { due_at: next }),
        })
        .where('id', '=', row.id)
        .where('claimed_by', '=', node)
        .returning('id')
        .executeTakeFirst();
      if (noted) await noteHealth(trx, row.webhook_id, one, outcome, getUrl());
    });
  }

  const collecting: Job = {
    name: 'webhook-events',
    title: jobTexts.webhookEvents.title,
    nodes: 'one',
    everyMs: 1_000,
    alarm: heard,
    failed: jobTexts.webhookEvents.failed,
    async run({ isFresh, signal }) {
      const url = getUrl();
      // Before the server listens nobody knows what links lead to.
      if (url === '') return;
      // Another node may have read further.
      if (isFresh) collector = createCollector({ state, events });
      if (await collector.round(url, signal)) queued.ring();
    },
  };
  const sending: Job = {
    name: 'webhook-deliveries',
    title: jobTexts.webhookDeliveries.title,
    nodes: 'each',
    everyMs: 1_000,
    alarm: queued,
    failed: jobTexts.webhookDeliveries.failed,
    async run(context) {
      for (;;) {
        const rows = await claimDue(state, { ...placeAt(Date.now()), limit: atOnce }, context);
        if (!rows.length || context.signal.aborted) break;
        await Promise.all(rows.map((row) => deliver(row, context)));
      }
      return nextClaimAt(state, placeAt(Date.now()));
    },
  };
  const expiry: Job = {
    name: 'webhook-expiry',
    title: jobTexts.webhookExpiry.title,
    nodes: 'one',
    everyMs: 3_600_000,
    failed: jobTexts.webhookExpiry.failed,
    async run() {
      await sweepWebhookDeliveries(state, Date.now());
      await sweepChangeNotes(state, Date.now());
    },
  };
  return {
    jobs: [collecting, sending, expiry],
    wake() {
      heard.ring();
      queued.ring();
    },
    test(webhook) {
      const body = bodyOf(
        {
          cause: 'test',
          event: 'issue.created',
          resource: 'installation',
          organizationId: webhook.organizationId,
          projectIds: [],
          at: Date.now(),
          actor: null,
          action: 'created',
          data: { installation: { status: 'installed', uuid: webhook.uuid, app: { slug: 'culprit' }, isTest: true } },
        },
        webhook.uuid,
      );
      return attempt(webhook.id, { uuid: randomUUID(), resource: 'installation', body });
    },
  };
}

async function noteHealth(
  trx: StateTransaction,
  id: number,
  { at, why }: Try,
  outcome: Sent['outcome'],
  url: string,
): Promise<void> {
  const update = trx.updateTable('webhook').where('id', '=', id);
  if (outcome === 'sent') {
    await update.set({ problem: '', failing_since: null, retry_at: 0, last_sent_at: at }).execute();
    return;
  }
  const row = await update
    .set({ problem: why, failing_since: sql<number>`coalesce(failing_since, ${at})`, retry_at: Date.now() + pauseMs })
    .returningAll()
    .executeTakeFirst();
  if (!row || row.enabled === 0) return;
  const since = Number(row.failing_since ?? at);
  const isLong = Date.now() - since >= disabledAfterMs;
  if (outcome !== 'gone' && !isLong) return;
  await disable(
    trx,
    toWebhook(row),
    outcome === 'gone' ? undefined : Math.floor((Date.now() - since) / 86_400_000),
    url,
  );
}

/** With what waits, and owners and admins are told. */
async function disable(trx: StateTransaction, webhook: Webhook, days: number | undefined, url: string): Promise<void> {
  const { id, organizationId, name, problem } = webhook;
  const nowMs = Date.now();
  await trx.updateTable('webhook').set({ enabled: 0, disabled_at: nowMs }).where('id', '=', id).execute();
  await trx
    .updateTable('webhook_delivery')
    .set({ state: 'failed', detail: webhookTexts.disabled, finished_at: nowMs, ...released })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  const people = await trx
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', 'in', toldRoles)
    .execute();
  for (const { userId } of people) {
    await enqueue(trx, {
      key: `webhook:${id}:${nowMs}:${userId}`,
      organizationId,
      to: { userId },
      notification: {
        kind: 'webhook',
        severity: 'warning',
        title: webhookNotice.title(name),
        text: days === undefined ? webhookNotice.gone(problem) : webhookNotice.text(days, problem),
        url: `${url}/settings/webhooks`,
        fields: [],
        groupKey: `webhook:${id}`,
      },
    });
  }
}

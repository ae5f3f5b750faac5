/**
 * Deliveries and how they come to be made once.
 *
 * A delivery is `waiting` until it is due. Some node claims it: it is `sending`, under a lease. The node connects, and before the
 * bytes that make the receiver act it sets a durable mark (`committed_at`), which only works while the lease is its own. From
 * there:
 *
 *     sending ── accepted ──────────────► sent
 *             ── refused for good ──────► failed
 *             ── not taken, try later ──► waiting   (mark taken away, due later; failed after a day)
 *             ── no answer ─────────────► waiting   if the receiver recognises a repeat, else uncertain
 *
 * A node that dies leaves a lease that ends. Without the mark nothing can have arrived: the delivery is `waiting` again. With it,
 * nobody can say; it is treated like one that got no answer. `sent`, `failed`, `uncertain`, `merged` and `skipped` are ends; a
 * resend is a new delivery.
 */
import { type Selectable, sql } from 'kysely';
import type { JobCounts } from '../../base/jobs/index.ts';
import { claimRow, holdClaim, released } from '../../ports/state/claims.ts';
import type { ChannelTable, DeliveryTable } from '../../ports/state/notify-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { sightIn } from '../accounts/index.ts';
import { nextAttemptMs } from './backoff.ts';
import { type Channel, refusedForGood, toChannel } from './channel-store.ts';
import { EmailConfig, httpKinds } from './channels/index.ts';
import { unwantedBy } from './muted.ts';
import { quietUntil } from './quiet-hours.ts';
import { getPersonalSettings, type PersonalSettings, wants } from './settings.ts';
import { optOutsOf } from './subscription.ts';
import type { ChannelType, Notification, QuietHours } from './types.ts';
import * as texts from '../../base/texts/notifications.ts';

/** Longer than any one attempt takes from its mark to its end. */
export const leaseMs = 60_000;
/** Candidates looked at in one go. */
const lookedAt = 100;
/** Deliveries told as one. */
const maxMerged = 500;
const keptAttempts = 10;
/** What is over is kept so long for the log. */
const keptMs = 30 * 86_400_000;

export interface Attempt {
  readonly at: number;
  readonly outcome: 'sent' | 'retry' | 'failed' | 'uncertain';
  readonly status: number | null;
  /** Its beginning. */
  readonly answer: string;
  readonly durationMs: number;
  /** Of mail to several: the addresses that got it, or never will; they are left out when it is tried again. */
  readonly done?: readonly string[] | undefined;
}

/** What one attempt came to. */
export interface Result extends Attempt {
  /** In words; '' for nothing. */
  readonly why: string;
  readonly afterMs?: number | undefined;
  /** The node no longer has the lease: whoever has it says what became of it. */
  readonly lost?: boolean | undefined;
}

export type Destination =
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'member'; readonly userId: string; readonly organizationId: string; readonly email: string }
  | { readonly kind: 'stranger'; readonly email: string };

/** A delivery that this node has to make now. */
export interface Job {
  readonly id: number;
  readonly organizationId: string;
  readonly key: string;
  readonly attempts: number;
  readonly to: Destination;
  /** Of the delivery and of those that are told with it, in their order. */
  readonly notifications: readonly [Notification, ...Notification[]];
}

type Row = Selectable<DeliveryTable>;

export interface ClaimOptions {
  /** Of this node. */
  readonly owner: string;
  readonly nowMs: number;
  /** At most so many. */
  readonly limit: number;
  /** Ids of what this node sends right now, and the places that it goes to: those get one at a time. */
  readonly busy: { readonly ids: readonly number[]; readonly places: ReadonlySet<string> };
  readonly hasMail: boolean;
}

export const placeOf = (to: Destination): string => (to.kind === 'channel' ? `channel:${to.channel.id}` : to.email);

/** Of a channel; mail to people has none. */
type Type = ChannelType | null;

const recognisesRepeats = (type: Type): boolean =>
  type !== null && type !== 'email' && httpKinds[type].recognisesRepeats;

const severalTo = (type: Type): 'as one' | 'each' | 'latest' =>
  type === null || type === 'email' ? 'as one' : httpKinds[type].several;

/** Whether there is anything for `claimDue` to do: asked without the write lock. */
export async function hasDue(state: State, nowMs: number): Promise<boolean> {
  const found = await state.db
    .selectFrom('delivery')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'waiting'), eb('due_at', '<=', nowMs)]),
        eb.and([eb('state', '=', 'sending'), eb('claimed_until', '<=', nowMs)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Takes what is due, one for each place. What nobody wants or nothing can carry ends here; what comes in quiet hours is put off. */
export async function claimDue(state: State, options: ClaimOptions): Promise<Job[]> {
  return state.transaction(async (trx) => {
    await takeBack(trx, options);
    const jobs: Job[] = [];
    const places = new Set(options.busy.places);
    for (const row of await candidates(trx, options)) {
      if (jobs.length >= options.limit) break;
      const place = row.channel_id === null ? (row.user_id ?? row.email ?? '') : `channel:${row.channel_id}`;
      if (places.has(place)) continue;
      const job = await claimOne(trx, row, options);
      if (!job) continue;
      places.add(place).add(placeOf(job.to));
      jobs.push(job);
    }
    return jobs;
  });
}

/** Deliveries of nodes that are gone. */
async function takeBack(trx: StateTransaction, { nowMs, owner, busy }: ClaimOptions): Promise<void> {
  const rows = await trx
    .selectFrom('delivery')
    .leftJoin('channel', 'channel.id', 'delivery.channel_id')
    .select(['delivery.id', 'delivery.committed_at', 'delivery.claimed_by', 'channel.type'])
    .where('delivery.state', '=', 'sending')
    .where('delivery.claimed_until', '<=', nowMs)
    .limit(lookedAt)
    .execute();
  for (const row of rows) {
    // Still at it: its clock was moved, or the machine slept.
    if (row.claimed_by === owner && busy.ids.includes(row.id)) continue;
    const isUnknown = row.committed_at !== null && !recognisesRepeats(row.type as Type);
    await trx
      .updateTable('delivery')
      .set({
        ...released,
        committed_at: null,
        ...(isUnknown
          ? {
              state: 'uncertain',
              finished_at: nowMs,
              detail: texts.deliveries.interrupted,
            }
          : { state: 'waiting', due_at: nowMs }),
      })
      .where('id', '=', row.id)
      .where('state', '=', 'sending')
      .execute();
  }
}

function candidates(trx: StateTransaction, { nowMs, busy }: ClaimOptions): Promise<Row[]> {
  const channels = [...busy.places].flatMap((place) => (place.startsWith('channel:') ? [Number(place.slice(8))] : []));
  return trx
    .selectFrom('delivery')
    .leftJoin('channel', 'channel.id', 'delivery.channel_id')
    .selectAll('delivery')
    .where('delivery.state', '=', 'waiting')
    .where('delivery.due_at', '<=', nowMs)
    .where((eb) => eb.or([eb('channel.hold_until', 'is', null), eb('channel.hold_until', '<=', nowMs)]))
    .$if(channels.length > 0, (query) =>
      query.where((eb) =>
        eb.or([eb('delivery.channel_id', 'is', null), eb('delivery.channel_id', 'not in', channels)]),
      ),
    )
    .orderBy('delivery.due_at')
    .orderBy('delivery.id')
    .limit(lookedAt)
    .execute();
}

async function claimOne(trx: StateTransaction, row: Row, options: ClaimOptions): Promise<Job | undefined> {
  const { nowMs, owner, hasMail } = options;
  const found = await destinationOf(trx, row);
  const skip = (detail: string): Promise<void> => end(trx, row.id, { state: 'skipped', detail, nowMs });
  if ('gone' in found) return void (await skip(found.gone));
  const { to, quietHours, settings } = found;
  const notification = JSON.parse(row.notification) as Notification;
  // Between what happened and now they may have lost sight of it.
  const isSeen = await seenBy(trx, row);
  if (!isSeen(notification)) return void (await skip(texts.deliveries.noAccess));
  const isMail = to.kind !== 'channel' || to.channel.type === 'email';
  if (isMail && !hasMail) return void (await skip(texts.deliveries.noMail));
  if (settings && !wants(settings, notification.kind, notification.project?.id)) {
    return void (await skip(texts.deliveries.turnedOff));
  }
  const type = to.kind === 'channel' ? to.channel.type : null;
  // To a pager it wakes nobody, and takes back what waits.
  const isEnd = notification.severity === 'resolved' && severalTo(type) === 'latest';
  const until = quietHours && !isEnd && mayWait(notification, quietHours) ? quietUntil(quietHours, nowMs) : undefined;
  if (until !== undefined) {
    await trx
      .updateTable('delivery')
      .set({
        due_at: until,
        detail: texts.deliveries.quietHours,
        ...(severalTo(type) === 'as one' && { batch: 'quiet' }),
      })
      .where('id', '=', row.id)
      .execute();
    return undefined;
  }
  const claimed = await claimRow(
    trx,
    {
      table: 'delivery',
      ready: sql`id = ${row.id} and state = 'waiting'`,
      set: { state: 'sending', committed_at: null, detail: '' },
    },
    { node: owner, leaseMs, nowMs },
  );
  if (!claimed) return undefined;
  const several = severalTo(type);
  if (several === 'latest') await supersede(trx, row, nowMs);
  const others = several === 'as one' ? await mergeOthers(trx, row, nowMs) : [];
  const job: Job = {
    id: row.id,
    organizationId: row.organization_id,
    key: row.key,
    attempts: claimed.attempts,
    to,
    notifications: [notification, ...others.filter(isSeen)],
  };
  if (to.kind !== 'channel' || type !== 'email') return job;
  const { config } = to.channel;
  const done = new Set((JSON.parse(row.log) as Attempt[]).at(-1)?.done);
  const left = new Set((await optOutsOf(trx, [to.channel.id])).get(to.channel.id)?.map(({ address }) => address));
  const subscribed = EmailConfig.parse(config).to.filter((address) => !left.has(address.toLowerCase()));
  if (!subscribed.length) return void (await skip(texts.deliveries.unsubscribed));
  const unwanted = await unwantedBy(trx, job, nowMs);
  const wanting = subscribed.filter((address) => !unwanted.has(address.toLowerCase()) && !done.has(address));
  if (!wanting.length) return void (await skip(texts.deliveries.muted));
  return { ...job, to: { ...to, channel: { ...to.channel, config: { ...config, to: wanting } } } };
}

const mayWait = ({ kind, severity }: Notification, { criticalPasses }: QuietHours): boolean =>
  kind !== 'test' && kind !== 'invitation' && !(criticalPasses && severity === 'critical');

/** What a person may be told of: no project that they do not see. What goes to a channel is for all who read it. */
async function seenBy(trx: StateTransaction, row: Row): Promise<(one: Notification) => boolean> {
  const { user_id: userId, organization_id: organizationId } = row;
  if (userId === null) return () => true;
  const sees = await sightIn(trx, [organizationId]);
  return ({ project }) => project === undefined || sees(organizationId, userId, project.id);
}

type Found =
  | { readonly gone: string }
  | { readonly to: Destination; readonly quietHours: QuietHours | null; readonly settings?: PersonalSettings };

async function destinationOf(trx: StateTransaction, row: Row): Promise<Found> {
  if (row.email !== null) return { to: { kind: 'stranger', email: row.email }, quietHours: null };
  if (row.user_id !== null) {
    const user = await trx
      .selectFrom('user')
      .innerJoin('member', 'member.userId', 'user.id')
      .select('user.email')
      .where('user.id', '=', row.user_id)
      .where('member.organizationId', '=', row.organization_id)
      .executeTakeFirst();
    if (!user) return { gone: texts.deliveries.noMember };
    const owner = { userId: row.user_id, organizationId: row.organization_id };
    const settings = await getPersonalSettings(trx, owner);
    return {
      to: { kind: 'member', ...owner, email: user.email },
      quietHours: settings.quietHours,
      settings,
    };
  }
  const stored: Selectable<ChannelTable> | undefined = await trx
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', row.channel_id ?? 0)
    .executeTakeFirst();
  if (!stored) return { gone: texts.deliveries.channelDeleted };
  const channel = toChannel(stored, Date.now());
  return channel.enabled
    ? { to: { kind: 'channel', channel }, quietHours: channel.quietHours }
    : { gone: texts.deliveries.channelOff };
}

/** Joins what waits in the same batch for the same recipient; answers with all that is told with this one. */
async function mergeOthers(trx: StateTransaction, row: Row, nowMs: number): Promise<Notification[]> {
  if (row.batch !== null) {
    const same = await trx
      .selectFrom('delivery')
      .select('id')
      .where('organization_id', '=', row.organization_id)
      .where('channel_id', row.channel_id === null ? 'is' : '=', row.channel_id)
      .where('user_id', row.user_id === null ? 'is' : '=', row.user_id)
      .where('email', row.email === null ? 'is' : '=', row.email)
      .where('batch', '=', row.batch)
      .where('state', '=', 'waiting')
      .where('attempts', '=', 0)
      .where('due_at', '<=', nowMs)
      .where('id', '!=', row.id)
      .orderBy('id')
      .limit(maxMerged)
      .execute();
    if (same.length > 0) {
      await trx
        .updateTable('delivery')
        .set({ state: 'merged', merged_into: row.id, finished_at: nowMs, detail: '' })
        .where(
          'id',
          'in',
          same.map(({ id }) => id),
        )
        .execute();
    }
  }
  const merged = await trx
    .selectFrom('delivery')
    .select('notification')
    .where('merged_into', '=', row.id)
    .orderBy('id')
    .limit(maxMerged)
    .execute();
  return merged.map(({ notification }) => JSON.parse(notification) as Notification);
}

/**
 * For pagers the last word on a matter counts: what waits from before would open again what is over, or close what has
 * begun anew.
 */
async function supersede(trx: StateTransaction, row: Row, nowMs: number): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({
      state: 'merged',
      merged_into: row.id,
      finished_at: nowMs,
      detail: texts.deliveries.superseded,
    })
    .where('channel_id', '=', row.channel_id)
    .where('group_key', '=', row.group_key)
    .where('state', '=', 'waiting')
    .where('id', '<', row.id)
    .execute();
}

async function end(
  db: StateTransaction,
  id: number,
  { state, detail, nowMs }: { state: 'skipped'; detail: string; nowMs: number },
): Promise<void> {
  await db.updateTable('delivery').set({ state, detail, finished_at: nowMs }).where('id', '=', id).execute();
}

/** Sets the mark, durably, before the bytes that make the receiver act. False when the lease is no longer this node's. */
export async function markCommitted(state: State, id: number, owner: string, nowMs: number): Promise<boolean> {
  const ready = sql`id = ${id} and state = 'sending'`;
  const work = { table: 'delivery', ready, set: { committed_at: nowMs } } as const;
  return (await holdClaim(state.db, work, { node: owner, leaseMs, nowMs })) !== undefined;
}

/** Writes down what an attempt came to, and how the channel is. */
export async function finish(state: State, job: Job, owner: string, result: Result, random: number): Promise<void> {
  const { lost, why, afterMs, ...said } = result;
  if (lost) return;
  const nowMs = said.at + said.durationMs;
  const channel = job.to.kind === 'channel' ? job.to.channel : undefined;
  await state.transaction(async (trx) => {
    const row = await trx
      .selectFrom('delivery')
      .select(['log', 'attempts'])
      .where('id', '=', job.id)
      .where('state', '=', 'sending')
      .where('claimed_by', '=', owner)
      .executeTakeFirst();
    if (!row) return;
    const before = JSON.parse(row.log) as Attempt[];
    const done = [...(before.at(-1)?.done ?? []), ...(said.done ?? [])];
    const attempt = { ...said, ...(done.length > 0 && { done }) };
    const firstAttemptMs = before[0]?.at ?? attempt.at;
    const repeatable =
      attempt.outcome === 'retry' || (attempt.outcome === 'uncertain' && recognisesRepeats(channel?.type ?? null));
    const next = repeatable
      ? nextAttemptMs({ attempts: row.attempts, firstAttemptMs, nowMs, afterMs, random })
      : undefined;
    const over = attempt.outcome === 'sent' || attempt.outcome === 'failed' || !repeatable;
    const outcome = over ? attempt.outcome : next === undefined ? 'failed' : 'waiting';
    // The first says since when it is tried.
    const log =
      before.length < keptAttempts ? [...before, attempt] : [...before.slice(0, 1), ...before.slice(2), attempt];
    await trx
      .updateTable('delivery')
      .set({
        state: outcome,
        log: JSON.stringify(log),
        detail: outcome === 'failed' && repeatable ? texts.deliveries.gaveUp(why) : why,
        ...released,
        committed_at: null,
        ...(outcome === 'waiting' ? { due_at: next ?? nowMs } : { finished_at: nowMs }),
      })
      .where('id', '=', job.id)
      .execute();
    if (channel)
      await noteChannel(trx, channel, {
        attempt,
        why,
        holdUntil: afterMs === undefined ? null : (next ?? null),
        nowMs,
      });
  });
}

async function noteChannel(
  trx: StateTransaction,
  channel: Channel,
  { attempt, why, holdUntil, nowMs }: { attempt: Attempt; why: string; holdUntil: number | null; nowMs: number },
): Promise<void> {
  await trx
    .updateTable('channel')
    .set((eb) =>
      attempt.outcome === 'sent'
        ? { failing_since: null, failures: 0, problem: '', hold_until: null, last_sent_at: nowMs }
        : {
            failing_since: eb.fn.coalesce('failing_since', eb.val(nowMs)),
            failures: eb('failures', '+', 1),
            problem: `${attempt.outcome === 'failed' ? refusedForGood : ''}${why}`.slice(0, 500),
            // Asked for patience, all that goes there waits.
            hold_until: holdUntil,
          },
    )
    .where('id', '=', channel.id)
    .execute();
}

/** What is over and old goes; returns how many. */
export async function sweepDeliveries(state: State, nowMs: number): Promise<number> {
  const { numDeletedRows } = await state.db
    .deleteFrom('delivery')
    .where('finished_at', '<', nowMs - keptMs)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function countDeliveries({ db }: State): Promise<JobCounts> {
  const rows = await db
    .selectFrom('delivery')
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'sending'])
    .groupBy('state')
    .execute();
  const of = (name: string): number => Number(rows.find(({ state }) => state === name)?.count ?? 0);
  return { waiting: of('waiting'), running: of('sending') };
}

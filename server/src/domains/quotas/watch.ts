/**
 * Tells owners and admins by mail, and the channels that the organisation has chosen, that 80 or 100 % of a quota are
 * used: of a month once each, of minutes once a day each. A jump over both tells the higher one alone. Pagers are told
 * when it is over as well.
 */
import { sql } from 'kysely';
import type { Job } from '../../base/jobs/index.ts';
import { type QuotaTerm, quotaTermAt } from '../../base/quotas.ts';
import { utcMinute } from '../../base/texts/intl.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import { quotaNotice } from '../../base/texts/quotas.ts';
import type { State } from '../../ports/state/state.ts';
import { enqueue, existingChannels, type Notification, type Recipient } from '../notify/index.ts';
import { listProjects } from '../projects/index.ts';
import { type Asked, type Cause, causesOf } from './cause.ts';
import { nameOf } from './name.ts';
import { endOverQuotas, type OverMemory, quotaGroupKey } from './over.ts';
import { quotaSettings } from './settings.ts';
import { type Quota, toQuota } from './store.ts';

const lookEveryMs = 5_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A minute that is over is looked at, too: what came at its end is told a moment later. */
const minutesBack = 2;
const levels = [100, 80] as const;
/** Who decides about quotas. */
const toldRoles = ['owner', 'admin'];

export interface WatchOptions {
  readonly state: State;
  readonly events: Asked;
  readonly getUrl: () => string;
  /** Deliveries are there. */
  readonly onTold: () => void;
}

export function createQuotaWatch({ state, events, getUrl, onTold }: WatchOptions): Job {
  const memory: OverMemory = new Set();
  return {
    name: 'quota-watch',
    title: jobTexts.quotaWatch.title,
    nodes: 'one',
    everyMs: lookEveryMs,
    failed: jobTexts.quotaWatch.failed,
    async run() {
      if (await tellOfQuotas({ state, events }, { consoleUrl: getUrl(), nowMs: Date.now(), memory })) onTold();
    },
  };
}

interface Due {
  readonly quota: Quota;
  readonly percent: (typeof levels)[number];
  readonly used: number;
  /** That was used. */
  readonly term: QuotaTerm;
  /** Of which people are told: the month, or the day. */
  readonly toldTerm: number;
}

interface Row {
  readonly quota: Quota;
  readonly term: number;
  readonly used: number;
  readonly toldTerm: number;
  readonly toldPercent: number;
  readonly timeZone: string;
}

/** True where somebody is told. */
export async function tellOfQuotas(
  stores: { readonly state: State; readonly events: Asked },
  { consoleUrl, nowMs, memory }: { readonly consoleUrl: string; readonly nowMs: number; readonly memory: OverMemory },
): Promise<boolean> {
  const due = new Map<number, Due>();
  const rows = await nearlyUsedUp(stores.state, nowMs);
  for (const row of rows) {
    const one = dueOf(row, nowMs);
    const known = due.get(row.quota.id);
    if (one && (!known || one.percent > known.percent)) due.set(row.quota.id, one);
  }
  for (const one of due.values()) await tell(stores, one, consoleUrl);
  const full = new Set(rows.filter((row) => isRunning(row, nowMs)).map(({ quota }) => quota.id));
  const ended = await endOverQuotas(stores.state, { full, memory, consoleUrl });
  return due.size > 0 || ended > 0;
}

/** Of terms that run or ended just now. */
async function nearlyUsedUp({ db }: State, nowMs: number): Promise<Row[]> {
  const minute = quotaTermAt('minute', nowMs, 'UTC').number;
  // It is the next or the last one somewhere.
  const month = quotaTermAt('month', nowMs, 'UTC').number;
  const rows = await db
    .selectFrom('quota')
    .innerJoin('quota_use', (join) =>
      join
        .onRef('quota_use.target', '=', 'quota.target')
        .onRef('quota_use.category', '=', 'quota.category')
        .onRef('quota_use.period', '=', 'quota.period'),
    )
    .leftJoin('organization_setting', 'organization_setting.organization_id', 'quota.organization_id')
    .selectAll('quota')
    .select(['quota_use.term', 'quota_use.used', 'organization_setting.time_zone as timeZone'])
    // Whoever takes nothing at all wants to hear nothing of it.
    .where('quota.amount', '>', 0)
    // 80 %, in whole numbers.
    .where(sql<boolean>`quota_use.used * 5 >= quota.amount * 4`)
    .where(({ or, eb }) =>
      or([
        eb('quota_use.period', '=', 'month').and('quota_use.term', '>=', month - 1),
        eb('quota_use.period', '=', 'minute').and('quota_use.term', '>=', minute - minutesBack),
      ]),
    )
    .execute();
  return rows.map(({ term, used, timeZone, ...row }) => ({
    quota: toQuota(row),
    term,
    used,
    toldTerm: row.told_term,
    toldPercent: row.told_percent,
    timeZone: timeZone ?? 'UTC',
  }));
}

/** A minute counts until a moment after its end. */
const isRunning = ({ quota: { period }, term, timeZone }: Row, nowMs: number): boolean =>
  period === 'minute' || term === quotaTermAt('month', nowMs, timeZone).number;

/** What people do not know yet; undefined for nothing. Pure. */
function dueOf({ quota, term: number, used, toldTerm, toldPercent, timeZone }: Row, nowMs: number): Due | undefined {
  const { period, amount } = quota;
  const running = quotaTermAt(period, nowMs, timeZone);
  if (period === 'month' && number !== running.number) return undefined;
  const term = period === 'month' ? running : quotaTermAt('minute', number * minuteMs, timeZone);
  const current = period === 'month' ? number : Math.floor(term.startMs / dayMs);
  const percent = levels.find((level) => used * 100 >= amount * level);
  const known = toldTerm === current ? toldPercent : 0;
  if (percent === undefined || percent <= known) return undefined;
  return { quota, percent, used, term, toldTerm: current };
}

async function tell(
  { state, events }: { readonly state: State; readonly events: Asked },
  { quota, percent, used, term, toldTerm }: Due,
  consoleUrl: string,
): Promise<void> {
  const { organizationId } = quota;
  const projects = await listProjects(state, organizationId);
  const place = { quota, term, used, projects };
  // While the events store is away, the counts still say something.
  const causes = await causesOf({ state, events }, place).catch(() => causesOf({ state, events: undefined }, place));
  const told = await nameOf(state, quota);
  if (!told) return;
  const project = projects.find(({ id }) => id === quota.projectId);
  const notification: Notification = {
    kind: 'quota',
    severity: percent === 100 && quota.isHard ? 'critical' : 'warning',
    title: quotaNotice.title(told, percent, used),
    text: quotaNotice.text(told, percent === 100),
    url: `${consoleUrl}/settings/quotas`,
    ...(project && { project: { id: project.id, slug: project.slug, name: project.name } }),
    fields: [
      ...causes.map((cause) => fieldOf(cause, quota)),
      { name: quotaNotice.begins, value: utcMinute(term.endMs) },
    ],
    groupKey: quotaGroupKey(quota),
  };
  await state.transaction(async (trx) => {
    // Another node may have told meanwhile, or somebody changed the quota.
    const claimed = await trx
      .updateTable('quota')
      .set({ told_term: toldTerm, told_percent: percent })
      .where('id', '=', quota.id)
      .where('amount', '=', quota.amount)
      .where(({ or, eb }) => or([eb('told_term', '!=', toldTerm), eb('told_percent', '<', percent)]))
      .returning('id')
      .executeTakeFirst();
    if (!claimed) return;
    // With the amount: whoever raises a quota hears of the new one.
    const key = `quota:${quota.id}:${quota.amount}:${toldTerm}:${percent}`;
    for (const [name, to] of await recipientsOf(trx, organizationId)) {
      await enqueue(trx, { key: `${key}:${name}`, organizationId, to, notification });
    }
  });
}

const fieldOf = ({ kind, name, count, share, estimate }: Cause, { category }: Quota) => ({
  name: quotaNotice.most[kind],
  value: quotaNotice.share(name, category, count, share, estimate),
});

type Db = Parameters<Parameters<State['transaction']>[0]>[0];

async function recipientsOf(trx: Db, organizationId: string): Promise<[string, Recipient][]> {
  const members = await trx
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', 'in', toldRoles)
    .execute();
  const { channelIds } = await quotaSettings({ db: trx }, organizationId);
  const channels = await existingChannels(trx, organizationId, channelIds);
  return [
    ...members.map(({ userId }): [string, Recipient] => [userId, { userId }]),
    ...channels.map((channelId): [string, Recipient] => [`channel:${channelId}`, { channelId }]),
  ];
}

/** Enqueues what happened since the last round, for the webhooks that want to hear of it. */
import { Reader } from '../../ports/state/reader.ts';
import type { State } from '../../ports/state/state.ts';
import type { Happening } from './bodies.ts';
import { happeningsOf, type Source, type SourceRow, sources } from './happenings.ts';
import { enqueueAll } from './log.ts';
import type { Stores } from './lookups.ts';
import { toWebhook, type Webhook } from './store.ts';

/** How far each source has been read. */
const bookmark = 'webhooks_read';
/** One transaction: short, so that nothing else waits for the write lock. */
const toldAtOnce = 50;
/** What happened longer ago is no news: a project that is restored or moved in brings it. */
const newsMs = 86_400_000;
/** Where nobody listens, the place is moved on so often. */
const idleMs = 10_000;

type Places = Record<Source, number>;

export interface Collector {
  /** Whether there is something to send. */
  round(url: string, signal: AbortSignal): Promise<boolean>;
}

export function createCollector({ state, events }: Stores): Collector {
  let readers: ReadonlyMap<Source, Reader<SourceRow>> | undefined;
  let written = '';
  let movedOn = 0;

  async function open(): Promise<ReadonlyMap<Source, Reader<SourceRow>>> {
    // An earlier version has not read all of them.
    const places = { ...(await newestOf(state)), ...(await readPlaces(state)) };
    return new Map(sources.map((source) => [source, new Reader(places[source], readOf(state, source))]));
  }

  async function write(places: Places): Promise<void> {
    const value = JSON.stringify(places);
    if (value === written) return;
    await state.db
      .insertInto('setting')
      .values({ name: bookmark, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    written = value;
  }

  return {
    async round(url, signal) {
      const rows = await state.db.selectFrom('webhook').selectAll().where('enabled', '=', 1).execute();
      if (!rows.length) {
        readers = undefined;
        if (Date.now() - movedOn < idleMs) return false;
        await write(await newestOf(state));
        movedOn = Date.now();
        return false;
      }
      const webhooks = rows.map(toWebhook);
      readers ??= await open();
      let found = false;
      for (const [source, reader] of readers) {
        const take = async (news: readonly SourceRow[]): Promise<void> => {
          for (let start = 0; start < news.length; start += toldAtOnce) {
            const ids = news.slice(start, start + toldAtOnce).map(({ id }) => id);
            const happenings = await happeningsOf[source]({ state, events, url, signal }, ids);
            if (happenings.length && (await tell(state, webhooks, happenings))) found = true;
          }
        };
        while (await reader.next(take)) {
          if (signal.aborted) return found;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const places = Object.fromEntries([...readers].map(([source, { place }]) => [source, place]));
      await write(places as Places);
      return found;
    },
  };
}

async function tell(state: State, webhooks: readonly Webhook[], happenings: readonly Happening[]): Promise<boolean> {
  const internal = await internalProjects(state);
  let found = false;
  for (const webhook of webhooks) {
    const wanted = happenings.filter((happening) => wants(webhook, happening, internal, Date.now()));
    if (!wanted.length) continue;
    await state.transaction((trx) => enqueueAll(trx, webhook, wanted));
    found = true;
  }
  return found;
}

/** Pure. */
function wants(webhook: Webhook, happening: Happening, internal: ReadonlySet<number>, nowMs: number): boolean {
  const since = Math.max(webhook.heardFrom, nowMs - newsMs);
  if (webhook.organizationId !== happening.organizationId || happening.at < since) return false;
  if (!webhook.events.includes(happening.event)) return false;
  const { projectIds } = happening;
  if (webhook.projectIds.length) return projectIds.some((id) => webhook.projectIds.includes(id));
  return projectIds.length === 0 || projectIds.some((id) => !internal.has(id));
}

/** What the installation reports of itself counts only where somebody names its project. */
async function internalProjects(state: State): Promise<ReadonlySet<number>> {
  const rows = await state.db
    .selectFrom('project')
    .select('id')
    .where('settings', 'like', '%"internal":true%')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function readPlaces(state: State): Promise<Partial<Places> | undefined> {
  const row = await state.db.selectFrom('setting').select('value').where('name', '=', bookmark).executeTakeFirst();
  return row && (JSON.parse(row.value) as Partial<Places>);
}

async function newestOf({ db }: State): Promise<Places> {
  const places: Partial<Places> = {};
  for (const source of sources) {
    const row = await db
      .selectFrom(source)
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    places[source] = Number(row?.id ?? 0);
  }
  return places as Places;
}

const readOf = ({ db }: State, source: Source) => ({
  after: (id: number, limit: number) =>
    db.selectFrom(source).select('id').where('id', '>', id).orderBy('id').limit(limit).execute(),
  among: (ids: readonly number[]) => db.selectFrom(source).select('id').where('id', 'in', ids).orderBy('id').execute(),
});

/**
 * Previews: work that somebody waits for, on the node that was asked for it. How far it is and what it came to stand in the
 * state store, so that any node shows it. Whoever breaks it off takes its row away: the node that works finds that.
 *
 *     running ──► done | failed        gone where it was broken off, and some minutes after it was last asked for
 *        └──── its node is silent ───► shown as failed
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { Failures } from '../../base/self/index.ts';
import { previews as texts } from '../../base/texts/previews.ts';
import type { PreviewTable } from '../../ports/state/node-tables.ts';
import type { State } from '../../ports/state/state.ts';

export interface Preview<About, Result> {
  readonly id: string;
  /** Who may see it. */
  readonly scope: string;
  /** What was known when it was started. */
  readonly about: About;
  readonly status: PreviewTable['status'];
  /** 0 to 1. */
  readonly progress: number;
  /** '' or what went wrong. */
  readonly detail: string;
  /** Once it is done; as JSON has it. */
  readonly result?: Result | undefined;
}

export type PreviewTask<Result> = (context: {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}) => Promise<Result>;

export interface Previews<About, Result> extends AsyncDisposable {
  /** Resolves once all nodes know it. Throws PREVIEWS_FULL while enough are running on this one. */
  start(
    scope: string,
    about: About,
    task: PreviewTask<Result>,
  ): Promise<{
    /** As it is now. */
    now(): Preview<About, Result>;
    /** Resolves when the work has ended, however it did. */
    readonly ended: Promise<void>;
  }>;
  /** Undefined where the scope has none of the id. */
  find(scope: string, id: string): Promise<Preview<About, Result> | undefined>;
  /** Resolves once it has ended, where it runs on this node. False where there is none. */
  cancel(scope: string, id: string): Promise<boolean>;
}

export interface PreviewsOptions {
  readonly state: State;
  /** Id of this node: the same when it is started again. */
  readonly node: string;
  readonly kind: PreviewTable['kind'];
  /** At once, on this node: they take its memory. */
  readonly maxRunning: number;
  /** After it was last asked for, ms. */
  readonly keepMs: number;
  /** What is said of a failure, and what is noted of one that nobody expects. */
  readonly explain: (error: unknown) => { readonly detail: string; readonly message?: string };
  readonly failures: Pick<Failures, 'note'>;
  /** How often the state store is told, ms. */
  readonly tellEveryMs?: number;
  /** A node that was silent for so long does not work on it any more, ms. */
  readonly silentMs?: number;
}

/** Of a kind. */
const maxKept = 100;
/** That somebody has asked is written down so often. */
const notesAskedEveryMs = 20_000;

interface Entry<About, Result> {
  preview: Preview<About, Result>;
  askedAt: number;
  readonly stop: AbortController;
  ended: Promise<void>;
  followed: Promise<void>;
}

export function openPreviews<About, Result>(options: PreviewsOptions): Previews<About, Result> {
  const { state, node, kind, maxRunning, keepMs, explain, failures, tellEveryMs = 1_000, silentMs = 60_000 } = options;
  const { db } = state;
  /** Those that run, and those whose end is not told yet. */
  const entries = new Map<string, Entry<About, Result>>();
  const closing = new AbortController();
  const table = () => db.updateTable('preview').where('kind', '=', kind);

  /** Of this node, which has stopped, or was killed. */
  async function failOwn(): Promise<void> {
    await table()
      .set({ status: 'failed', detail: texts.stopped })
      .where('node', '=', node)
      .where('status', '=', 'running')
      .execute();
  }

  async function forgetOld(): Promise<void> {
    const kept = db
      .selectFrom('preview')
      .select('id')
      .where('kind', '=', kind)
      .where('asked_at', '>=', Date.now() - keepMs)
      .orderBy('asked_at', 'desc')
      .limit(maxKept);
    await db.deleteFrom('preview').where('kind', '=', kind).where('id', 'not in', kept).execute();
  }

  async function work(entry: Entry<About, Result>, task: PreviewTask<Result>): Promise<void> {
    const { signal } = entry.stop;
    const onProgress = (progress: number): void => {
      entry.preview = { ...entry.preview, progress };
    };
    try {
      const result = await task({ signal, onProgress });
      entry.preview = { ...entry.preview, status: 'done', progress: 1, result };
    } catch (error) {
      if (signal.aborted) return;
      const { detail, message } = explain(error);
      entry.preview = { ...entry.preview, status: 'failed', detail };
      if (message !== undefined) failures.note(error, { message });
    }
  }

  /** Until all is told, or nobody wants it any more. */
  async function follow(entry: Entry<About, Result>): Promise<void> {
    const { id } = entry.preview;
    const { signal } = entry.stop;
    await forgetOld().catch(() => {});
    while (!signal.aborted && entries.has(id)) {
      await Promise.race([entry.ended, delay(tellEveryMs, undefined, { ref: false })]);
      if (signal.aborted) return;
      try {
        await tell(entry);
      } catch {
        // The state store is away: it is told again.
        if (closing.signal.aborted) return;
        await delay(tellEveryMs, undefined, { ref: false });
      }
    }
  }

  async function tell(entry: Entry<About, Result>): Promise<void> {
    const { id, status, progress, detail, result } = entry.preview;
    const now = Date.now();
    const row = await table()
      .set({
        status,
        progress,
        detail,
        result: result === undefined ? null : JSON.stringify(result),
        told_at: now,
        asked_at: sql<number>`case when asked_at < ${entry.askedAt} then ${entry.askedAt} else asked_at end`,
      })
      .where('id', '=', id)
      .returning('asked_at')
      .executeTakeFirst();
    if (row && row.asked_at >= now - keepMs) {
      if (status !== 'running') entries.delete(id);
      return;
    }
    entries.delete(id);
    entry.stop.abort();
    if (row) await db.deleteFrom('preview').where('id', '=', id).execute();
  }

  /** Those of before are told to have ended first. */
  const begun = failOwn().catch(() => {});

  return {
    async start(scope, about, task) {
      await begun;
      const running = entries.values().filter(({ preview }) => preview.status === 'running');
      if (running.toArray().length >= maxRunning) throw new CodedError('PREVIEWS_FULL', [], { retryAfter: 5 });
      const id = randomUUID().replaceAll('-', '');
      const askedAt = Date.now();
      const preview: Preview<About, Result> = { id, scope, about, status: 'running', progress: 0, detail: '' };
      const done = Promise.resolve();
      const entry: Entry<About, Result> = {
        preview,
        askedAt,
        stop: new AbortController(),
        ended: done,
        followed: done,
      };
      entries.set(id, entry);
      entry.ended = work(entry, task);
      try {
        const first = { status: 'running', progress: 0, detail: '', result: null } as const;
        await db
          .insertInto('preview')
          .values({
            id,
            kind,
            scope,
            about: JSON.stringify(about),
            ...first,
            node,
            asked_at: askedAt,
            told_at: askedAt,
          })
          .execute();
      } catch (error) {
        entries.delete(id);
        entry.stop.abort();
        throw error;
      }
      entry.followed = follow(entry);
      return { now: () => entry.preview, ended: entry.ended };
    },
    async find(scope, id) {
      const now = Date.now();
      const own = entries.get(id);
      if (own) {
        if (own.preview.scope !== scope) return undefined;
        own.askedAt = now;
        return own.preview;
      }
      const row = await db
        .selectFrom('preview')
        .selectAll()
        .where('id', '=', id)
        .where('kind', '=', kind)
        .where('scope', '=', scope)
        .executeTakeFirst();
      if (!row || row.asked_at < now - keepMs) return undefined;
      if (now - row.asked_at > notesAskedEveryMs) await table().set({ asked_at: now }).where('id', '=', id).execute();
      return previewOf(row, now - silentMs);
    },
    async cancel(scope, id) {
      const own = entries.get(id);
      if (own && own.preview.scope !== scope) return false;
      entries.delete(id);
      own?.stop.abort();
      const gone = await db
        .deleteFrom('preview')
        .where('id', '=', id)
        .where('kind', '=', kind)
        .where('scope', '=', scope)
        .returning('id')
        .executeTakeFirst();
      await own?.ended;
      return own !== undefined || gone !== undefined;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      const all = [...entries.values()];
      for (const { preview, stop } of all) if (preview.status === 'running') stop.abort();
      await Promise.all(all.flatMap(({ ended, followed }) => [ended, followed]));
      entries.clear();
      await begun;
      await failOwn().catch(() => {});
    },
  };
}

function previewOf<About, Result>(row: Selectable<PreviewTable>, toldSince: number): Preview<About, Result> {
  const { id, scope, progress } = row;
  const isSilent = row.status === 'running' && row.told_at < toldSince;
  return {
    id,
    scope,
    about: JSON.parse(row.about) as About,
    status: isSilent ? 'failed' : row.status,
    progress,
    detail: isSilent ? texts.stopped : row.detail,
    ...(row.result !== null && { result: JSON.parse(row.result) as Result }),
  };
}

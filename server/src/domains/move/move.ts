/**
 * Moves an installation to other stores while it runs.
 *
 *     prepare    the tables of the new stores; what says that they are not whole yet
 *     copy       all of it, once
 *     catch up   what has changed since, again and again, until little is left
 *     freeze     nobody changes anything any more; what is left is copied, counted and compared
 *     commit     the old stores are left: from here on the new ones are the installation
 *     finish     the new ones may be used
 *
 * A step that is broken off is gone through once more by the next run. Until the commit the old stores are the
 * installation, and it works on as soon as the command is gone.
 */
import { randomUUID } from 'node:crypto';
import { createByteRate } from '../../base/byte-rate.ts';
import { CodedError } from '../../base/errors.ts';
import { move as texts } from '../../base/texts/move.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { type BlobsPass, copyBlobs } from '../../ports/blobs/copy.ts';
import {
  compareEvents,
  copyEvents,
  dropViews,
  type EventsCounts,
  makeViews,
  numberInserts,
  stopMerges,
  tablesToCopy,
} from '../../ports/events/copy/copy.ts';
import type { CopiedTable } from '../../ports/events/copy/partition.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { releaseEverything } from '../../ports/state/claims.ts';
import { copyOnce, type Pass } from '../../ports/state/copy/copy.ts';
import type { CopySide } from '../../ports/state/copy/side.ts';
import type { State } from '../../ports/state/state.ts';
import { type MoveJournal, openJournal } from './journal.ts';
import { type Moved, type Places, readMark, writeMark } from './marks.ts';

export interface StateEnds {
  readonly source: CopySide;
  readonly target: CopySide;
  /** The target, migrated. */
  readonly state: State;
  /** Who else had the target open when this began: nodes that wait for an earlier run to end, or strangers. */
  readonly others: number;
  /** Whether the source is locked for the last step: others may still have it open. */
  readonly isShared: boolean;
}

export interface EventsEnds {
  readonly source: Events;
  /** With its tables. */
  readonly target: Events;
  /** Whether the source's engine goes on as before when this process is gone. */
  readonly isLeased: boolean;
}

export interface BlobsEnds {
  readonly source: Blobs;
  readonly target: Blobs;
}

/** How nobody comes to change anything any more. */
export interface Gate {
  /** Aborted where that cannot be kept up. */
  readonly signal: AbortSignal;
  /**
   * Resolves once nobody changes anything, to when changes began to wait, by `performance.now`. It ends with the process,
   * and after so long, ms.
   */
  freeze(limitMs: number): Promise<number>;
  thaw(): Promise<void>;
  /** From now on the new stores are the installation. On disk when it resolves. */
  commit(moved: Moved): Promise<void>;
}

export interface Move {
  /** Where the journal lies. */
  readonly dataDir: string;
  /** Without passwords. */
  readonly from: string;
  readonly places: Places;
  /** What is moved; the rest stays where it is. */
  readonly state?: StateEnds | undefined;
  readonly events?: EventsEnds | undefined;
  readonly blobs?: BlobsEnds | undefined;
  readonly gate: Gate;
  /** Bytes a second while it is not frozen; 0 for as many as go. */
  readonly rate: number;
  readonly onStage: (stage: keyof typeof texts.stage, isResumed: boolean) => void;
  readonly onProgress: (text: string) => void;
  readonly onPass: (text: string) => void;
}

/** What is printed at the end, and kept. */
export interface MoveReport {
  readonly id: string;
  readonly startedAt: number;
  readonly movedAt: number;
  readonly frozenMs: number;
  readonly from: string;
  readonly to: Places;
  readonly state: {
    readonly rows: number;
    readonly tables: Readonly<Record<string, { rows: number; checksum: string }>>;
  };
  readonly events: EventsCounts & { readonly rows: number };
  readonly blobs: { readonly count: number; readonly bytes: number };
}

/** The last step is tried for so long, ms; then the installation works on, and it is tried again. */
const freezeMs = 60_000;
const freezes = 3;
/** What is left is little once it takes so long, ms. */
const littleMs = 2_000;
const mostPasses = 10;
/** Passes in which the state store must come to rest while nobody writes to it. */
const settlingPasses = 5;

export async function move(plan: Move): Promise<MoveReport & { readonly path: string }> {
  await using journal = await openJournal(plan.dataDir, plan.places, randomUUID);
  const run = new MoveRun(plan, journal);
  await run.prepare();
  await run.catchUp();
  const report = await run.switchOver();
  return { ...report, path: await journal.writeReport(report) };
}

class MoveRun {
  readonly #plan: Move;
  readonly #journal: MoveJournal;
  readonly #throttle: (bytes: number) => Promise<void>;
  #tables: readonly CopiedTable[] = [];
  #references: readonly string[] = [];
  #isFrozen = false;
  #rows = { state: 0, events: 0 };

  constructor(plan: Move, journal: MoveJournal) {
    this.#plan = plan;
    this.#journal = journal;
    this.#throttle = createByteRate(plan.rate);
  }

  async prepare(): Promise<void> {
    const { state, events, onStage } = this.#plan;
    onStage('prepare', this.#journal.isResumed);
    if (state) await this.#prepareState(state);
    if (events) await this.#prepareEvents(events);
  }

  async #prepareState({ source, target, state, others }: StateEnds): Promise<void> {
    const [ours, theirs] = [await source.migrations(), await target.migrations()];
    if (ours.join() !== theirs.join()) {
      throw new CodedError('MOVE_REFUSED', [texts.otherVersion(ours.at(-1) ?? '')]);
    }
    const mark = await readMark(state);
    const isOurs = mark?.kind === 'coming' && mark.id === this.#journal.id;
    if (!isOurs && !(await isUnused(state))) {
      throw new CodedError('MOVE_REFUSED', [texts.notEmpty(this.#plan.places.state ?? '')]);
    }
    if (!isOurs && others > 0) {
      throw new CodedError('MOVE_REFUSED', [texts.inUse(this.#plan.places.state ?? '', others)]);
    }
    this.#references = mark?.kind === 'coming' && mark.references.length ? mark.references : await target.references();
    const { id } = this.#journal;
    await writeMark(state, { kind: 'coming', id, from: this.#plan.from, references: [...this.#references] });
    await target.loosen();
  }

  async #prepareEvents({ source, target }: EventsEnds): Promise<void> {
    this.#tables = await tablesToCopy(source, target);
    if (!this.#journal.hasEvents) {
      const [found] = await target.query<{ n: number }>(
        `SELECT sum(rows) AS n FROM ${layoutOf(target.address).system('parts')}
         WHERE database = {rows:String} AND active AND table IN {tables:Array(String)}`,
        { rows: layoutOf(target.address).rows, tables: this.#tables.map(({ name }) => name) },
      );
      if (found?.n) throw new CodedError('MOVE_REFUSED', [texts.notEmpty(this.#plan.places.events ?? '')]);
      this.#journal.hasEvents = true;
      await this.#journal.save();
    }
    await numberInserts(source, this.#tables, true);
  }

  async catchUp(): Promise<void> {
    const { events, onStage } = this.#plan;
    onStage('copy', false);
    await this.#pass();
    onStage('catchUp', false);
    for (let pass = 0; pass < mostPasses; pass += 1) {
      // From here on inserts of aggregates stay apart, so that the last step has them alone to copy.
      if (events?.isLeased && pass === 1) await stopMerges(events.source, this.#tables);
      const tookMs = await this.#pass();
      if (pass >= 1 && tookMs < littleMs) return;
    }
  }

  async switchOver(): Promise<MoveReport> {
    const { gate, onStage } = this.#plan;
    onStage('freeze', false);
    for (let attempt = 1; ; attempt += 1) {
      const beganAt = performance.now();
      try {
        return await this.#freeze();
      } catch (error) {
        this.#isFrozen = false;
        await gate.thaw().catch(() => {});
        const isLate = performance.now() - beganAt >= freezeMs;
        if (!isLate || attempt === freezes || gate.signal.aborted) throw error;
      }
      await this.#pass();
    }
  }

  async #freeze(): Promise<MoveReport> {
    const { gate, state, events, blobs, places, from } = this.#plan;
    const beganAt = await gate.freeze(freezeMs);
    const limit = AbortSignal.any([gate.signal, AbortSignal.timeout(freezeMs)]);
    this.#isFrozen = true;
    // Whatever writes nevertheless, waits.
    await using held = state?.isShared ? await state.source.freeze() : undefined;
    void held;
    const copiedBlobs = blobs && (await this.#copyBlobs(blobs, limit));
    if (events) await this.#copyEvents(events, limit);
    const copiedState = state && (await this.#settleState(state, limit));
    const counted = events ? await this.#compare(events) : { tables: {}, differences: [] };
    if (blobs) await this.#compareBlobs(blobs, limit);
    if (state) await state.target.tighten(this.#references);
    if (events) await makeViews(events.source, events.target);
    limit.throwIfAborted();
    const movedAt = Date.now();
    const { id, startedAt } = this.#journal;
    await gate.commit({ id, at: movedAt, to: places });
    const frozenMs = Math.round(performance.now() - beganAt);
    await finish(this.#plan);
    return {
      id,
      startedAt,
      movedAt,
      frozenMs,
      from,
      to: places,
      state: { rows: copiedState?.rows ?? 0, tables: Object.fromEntries(copiedState?.tables ?? []) },
      events: { ...counted, rows: Object.values(counted.tables).reduce((sum, rows) => sum + rows, 0) },
      blobs: { count: copiedBlobs?.blobs ?? 0, bytes: copiedBlobs?.bytes ?? 0 },
    };
  }

  /** All of it once. Resolves to how long it took, ms. */
  async #pass(): Promise<number> {
    const { state, events, blobs, gate, onPass } = this.#plan;
    const { signal } = gate;
    const beganAt = performance.now();
    const ofBlobs = blobs && (await this.#copyBlobs(blobs, signal));
    const ofEvents = events && (await this.#copyEvents(events, signal));
    const ofState = state && (await this.#copyState(state, signal));
    const tookMs = performance.now() - beganAt;
    onPass(
      texts.pass(
        (ofEvents?.rows ?? 0) + (ofState?.written ?? 0) + (ofState?.removed ?? 0),
        ofBlobs?.written ?? 0,
        tookMs,
      ),
    );
    return tookMs;
  }

  async #wait(bytes: number): Promise<void> {
    if (!this.#isFrozen) await this.#throttle(bytes);
  }

  async #copyBlobs(ends: BlobsEnds, signal: AbortSignal): Promise<BlobsPass> {
    let bytes = 0;
    return copyBlobs(this.#journal.blobs, {
      ...ends,
      signal,
      onBytes: async (piece) => {
        bytes += piece;
        this.#plan.onProgress(texts.progress.blobs(this.#journal.blobs.copied.size, bytes));
        await this.#wait(piece);
      },
    });
  }

  async #copyEvents(ends: EventsEnds, signal: AbortSignal) {
    await dropViews(ends.target);
    let done = 0;
    const of = this.#isFrozen ? 0 : await this.#rowsToCopy(ends.source);
    return copyEvents(this.#tables, this.#journal.events, {
      ...ends,
      signal,
      onBytes: async (bytes, rows) => {
        done += rows;
        this.#plan.onProgress(texts.progress.events('', done, of));
        await this.#wait(bytes);
      },
    });
  }

  async #rowsToCopy(source: Events): Promise<number> {
    const [found] = await source.query<{ n: number }>(
      `SELECT sum(rows) AS n FROM system.parts
       WHERE database = {rows:String} AND active AND table IN {tables:Array(String)}`,
      { rows: layoutOf(source.address).rows, tables: this.#tables.map(({ name }) => name) },
    );
    const copied = [...this.#journal.events.partitions.values()].reduce((sum, { rows }) => sum + rows, 0);
    return Math.max(0, (found?.n ?? 0) - copied);
  }

  async #copyState({ source, target }: StateEnds, signal: AbortSignal): Promise<Pass> {
    let done = 0;
    const pass = await copyOnce(source, target, {
      signal,
      onRows: async (table, rows) => {
        done += rows;
        this.#plan.onProgress(texts.progress.state(table, done, this.#rows.state));
      },
    });
    this.#rows.state = pass.rows;
    return pass;
  }

  /** Until a whole pass finds both the same. */
  async #settleState(ends: StateEnds, signal: AbortSignal): Promise<Pass> {
    for (let pass = 0; pass < settlingPasses; pass += 1) {
      const done = await this.#copyState(ends, signal);
      if (done.written + done.removed === 0) return done;
    }
    throw new CodedError('MOVE_REFUSED', [texts.notSame(this.#plan.places.state ?? '', 'state')]);
  }

  async #compare(ends: EventsEnds): Promise<EventsCounts> {
    const counted = await compareEvents(this.#tables, ends);
    const [first] = counted.differences;
    if (first) {
      const what = `${first.table}, ${first.projectId} ${first.month}: ${first.source} / ${first.target}`;
      throw new CodedError('MOVE_REFUSED', [texts.notSame(this.#plan.places.events ?? '', what)]);
    }
    return counted;
  }

  async #compareBlobs({ target }: BlobsEnds, signal: AbortSignal): Promise<void> {
    const there = new Set<string>();
    for await (const { key } of target.list('')) {
      signal.throwIfAborted();
      there.add(key);
    }
    for (const key of this.#journal.blobs.copied.keys()) {
      if (!there.has(key)) throw new CodedError('MOVE_REFUSED', [texts.notSame(this.#plan.places.blobs ?? '', key)]);
    }
  }
}

/** After the commit; the next run does it where this one is broken off. */
export async function finish({ state, events }: Pick<Move, 'state' | 'events'>): Promise<void> {
  if (state) {
    // What the old servers were doing can be taken up at once.
    await releaseEverything(state.state);
    await writeMark(state.state, undefined);
  }
  if (events) {
    const tables = await tablesToCopy(events.source, events.target).catch(() => []);
    if (events.isLeased) await stopMerges(events.source, tables, false).catch(() => {});
    await numberInserts(events.source, tables, false).catch(() => {});
  }
}

/** A server may have been started on it; nobody has set it up. */
async function isUnused({ db }: State): Promise<boolean> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst();
  const organization = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst();
  return !user && !organization;
}

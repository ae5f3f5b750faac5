/**
 * Mirrors: what comes for a project goes to another server as well, as long as both are to run side by side. What waits
 * is bounded by bytes and by age, and what is dropped for that is counted: the other side never costs this one an event.
 */
import { join } from 'node:path';
import { createEventId, serializeEnvelope } from '@culprit/envelope';
import { createAlarm, type Job } from '../../base/jobs/index.ts';
import { type AllowList, keepConnections, type Lookup } from '../../base/outbound/index.ts';
import type { BoxSetup, TextBox } from '../../base/secrets/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import { mirrors as texts } from '../../base/texts/mirror.ts';
import type { MirroredHead, Mirrors as ForIngest } from '../../ingest/index.ts';
import type { State } from '../../ports/state/state.ts';
import { dropFrom, type IsMeant } from './drop.ts';
import { emptyTally, Forwarder } from './forwarder.ts';
import { judge } from './judge.ts';
import { recordParts } from './record.ts';
import { Spools, type Waiting } from './spools.ts';
import { addTally, findMirror, listMirrors, type Mirror, type NewMirror, removeMirror, setMirror } from './store.ts';
import { callFor, type Target } from './target.ts';

/** What waits longer is dropped. */
export const maxAgeMs = 86_400_000;

export interface MirrorsOptions {
  readonly state: State;
  /** Opens DSNs. */
  readonly box: TextBox;
  /** Seals what waits. */
  readonly recordBox: BoxSetup;
  readonly dataDir: string;
  /** Of what waits for one project. */
  readonly limitBytes: number;
  /** Tells this installation from others, also from one that was copied of it; known once the server listens. */
  readonly getId: () => string;
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
  readonly failures: Failures;
}

/** What waits on this node. */
export interface Backlog extends Waiting {
  readonly oldestMs: number | undefined;
  /** When the next attempt is made; undefined for at once. */
  readonly pausedUntilMs: number | undefined;
}

/** Of all mirrors, on this node. */
export interface MirrorStats {
  /** Mirrors that are set and not paused. */
  readonly active: number;
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Of the oldest that waits for a mirror that is not paused, ms; 0 where nothing does. */
  readonly oldestAgeMs: number;
  /** Since the start. */
  readonly forwarded: number;
  readonly refused: number;
  readonly dropped: number;
}

export interface TestAnswer {
  readonly eventId: string;
  readonly accepted: boolean;
  /** What the target said, or why it said nothing. */
  readonly answer: string;
}

export interface Mirrors extends ForIngest {
  readonly job: Job;
  find(projectId: number, inside?: Pick<State, 'db'>): Promise<Mirror | undefined>;
  list(): Promise<Mirror[]>;
  set(inside: Pick<State, 'db'>, mirror: NewMirror): Promise<void>;
  remove(inside: Pick<State, 'db'>, projectId: number): Promise<void>;
  backlog(projectId: number): Backlog;
  stats(): MirrorStats;
  /** Sends an event of its own, at once. */
  test(target: Target, projectSlug: string): Promise<TestAnswer>;
  /** Of what waits for these projects on this node; resolves to how many requests were meant, and are not forwarded. */
  dropWaiting(projectIds: readonly number[], isMeant: IsMeant): Promise<number>;
  /** A mirror was set, changed or removed. */
  wake(): void;
}

const everyMs = 10_000;

export function createMirrors(options: MirrorsOptions): Mirrors {
  const { state, box, getId, allow, lookup, failures } = options;
  const alarm = createAlarm();
  const dropped = new Map<number, number>();
  const totals = { forwarded: 0, refused: 0, dropped: 0 };
  /** Those that were not paused at the last look. */
  let active: ReadonlySet<number> = new Set();
  const forwarders = new Map<number, Promise<{ readonly forwarder: Forwarder; dsn: string }>>();
  const known = new Map<number, Forwarder>();
  const running = new Map<number, { readonly over: Promise<void>; readonly stop: AbortController }>();
  /** Of which nothing is forwarded for the moment. */
  const held = new Set<number>();
  const spools = new Spools({
    dir: join(options.dataDir, 'mirrors'),
    limitBytes: options.limitBytes,
    box: options.recordBox,
    onAdded: () => alarm.ring(),
    onDropped(projectId, count) {
      totals.dropped += count;
      dropped.set(projectId, (dropped.get(projectId) ?? 0) + count);
    },
    onFailed: (error) => failures.note(error, { message: jobTexts.mirrors.failed, atMostEveryMs: 60_000 }),
  });

  const forwarderOf = (projectId: number, target: Target) => {
    let made = forwarders.get(projectId);
    if (!made) {
      made = spools.open(projectId).then((log) => {
        const forwarder = new Forwarder(log, { id: getId(), allow, lookup, maxAgeMs });
        known.set(projectId, forwarder);
        return { forwarder, dsn: target.dsn };
      });
      forwarders.set(projectId, made);
      made.catch(() => forwarders.delete(projectId));
    }
    return made;
  };

  const forget = async (projectId: number): Promise<void> => {
    const made = forwarders.get(projectId);
    forwarders.delete(projectId);
    known.delete(projectId);
    await (await made)?.forwarder.close();
  };

  const noteDropped = async (projectId: number): Promise<void> => {
    const count = dropped.get(projectId);
    if (!count) return;
    dropped.delete(projectId);
    await addTally(state, projectId, { ...emptyTally(), dropped: count });
  };

  const forward = async ({ projectId }: Mirror, target: Target, signal: AbortSignal): Promise<void> => {
    const made = await forwarderOf(projectId, target);
    const { forwarder } = made;
    if (made.dsn !== target.dsn) {
      forwarder.retarget();
      made.dsn = target.dsn;
    }
    const note = (): Promise<void> => {
      const tally = forwarder.takeTally();
      totals.forwarded += tally.forwarded;
      totals.refused += tally.refused;
      totals.dropped += tally.dropped;
      return addTally(state, projectId, tally);
    };
    try {
      await forwarder.run(target, signal, note);
    } finally {
      await note();
    }
    if (spools.waiting(projectId).records > 0) return;
    await forget(projectId);
    await spools.shrink(projectId);
  };

  /** Each goes on by itself: a target that is slow holds up no other. */
  const start = (mirror: Mirror, target: Target, signal: AbortSignal): void => {
    const { projectId } = mirror;
    if (running.has(projectId)) return;
    const stop = new AbortController();
    const over = forward(mirror, target, AbortSignal.any([signal, stop.signal]))
      .catch((error: unknown) => void failures.note(error, { message: jobTexts.mirrors.failed, atMostEveryMs: 60_000 }))
      .finally(() => {
        running.delete(projectId);
        // What came at the end of the run has rung for nothing.
        if (!signal.aborted && spools.waiting(projectId).records > 0 && !isPaused(projectId)) alarm.ring(100);
      });
    running.set(projectId, { over, stop });
  };

  const dropOf = async (projectId: number, isMeant: IsMeant): Promise<number> => {
    if (held.has(projectId)) throw new Error('what waits for this mirror is looked through already');
    held.add(projectId);
    try {
      const run = running.get(projectId);
      run?.stop.abort();
      await run?.over;
      await forget(projectId);
      await spools.flush();
      // What a forwarder was at comes back with it.
      const count = await dropFrom(await spools.reopen(projectId), isMeant);
      await spools.reopen(projectId);
      if (count === 0) return 0;
      totals.dropped += count;
      dropped.set(projectId, (dropped.get(projectId) ?? 0) + count);
      return count;
    } finally {
      held.delete(projectId);
      alarm.ring();
    }
  };

  const isPaused = (projectId: number): boolean => (known.get(projectId)?.pausedUntilMs ?? 0) > Date.now();

  const job: Job = {
    name: 'mirrors',
    title: jobTexts.mirrors.title,
    // Each has its own.
    nodes: 'each',
    everyMs,
    alarm,
    failed: jobTexts.mirrors.failed,
    async run({ signal }) {
      const mirrors = new Map((await listMirrors(state, box)).map((mirror) => [mirror.projectId, mirror]));
      active = new Set([...mirrors.values()].filter(({ enabled }) => enabled).map(({ projectId }) => projectId));
      let nextMs = Date.now() + everyMs;
      for (const projectId of new Set([...(await spools.projects()), ...dropped.keys()])) {
        if (held.has(projectId)) continue;
        const mirror = mirrors.get(projectId);
        if (!mirror) {
          dropped.delete(projectId);
          await running.get(projectId)?.over;
          await forget(projectId);
          await spools.remove(projectId);
          continue;
        }
        await noteDropped(projectId);
        // The first look at one that was left by an earlier start opens it.
        await spools.open(projectId);
        if (!mirror.enabled || !mirror.target || spools.waiting(projectId).records === 0) continue;
        const untilMs = known.get(projectId)?.pausedUntilMs ?? 0;
        const isElsewhere = (await forwarders.get(projectId))?.dsn !== mirror.target.dsn;
        if (untilMs <= Date.now() || isElsewhere) start(mirror, mirror.target, signal);
        else nextMs = Math.min(nextMs, untilMs);
      }
      return nextMs;
    },
    async count() {
      const ids = await spools.projects();
      return { waiting: ids.reduce((sum, one) => sum + spools.waiting(one).records, 0), running: 0 };
    },
    async close() {
      await Promise.all([...running.values()].map(({ over }) => over));
      for (const projectId of forwarders.keys()) await forget(projectId);
      await spools[Symbol.asyncDispose]();
      for (const projectId of dropped.keys()) await noteDropped(projectId).catch(() => {});
    },
  };

  return {
    get id() {
      return getId();
    },
    job,
    add: (projectId: number, head: MirroredHead, body: Uint8Array) => spools.add(projectId, recordParts(head, body)),
    find: (projectId, inside = state) => findMirror(inside, box, projectId),
    list: () => listMirrors(state, box),
    set: (inside, mirror) => setMirror(inside, box, mirror),
    remove: removeMirror,
    async dropWaiting(projectIds, isMeant) {
      let count = 0;
      for (const id of await spools.projects()) if (projectIds.includes(id)) count += await dropOf(id, isMeant);
      return count;
    },
    wake: () => alarm.ring(),
    backlog(projectId) {
      const forwarder = known.get(projectId);
      const pausedUntilMs = forwarder && forwarder.pausedUntilMs > Date.now() ? forwarder.pausedUntilMs : undefined;
      return { ...spools.waiting(projectId), oldestMs: forwarder?.oldestMs, pausedUntilMs };
    },
    stats() {
      const all = spools.all();
      const times = [...known].flatMap(([id, { oldestMs }]) =>
        active.has(id) && oldestMs !== undefined ? oldestMs : [],
      );
      return {
        active: active.size,
        waiting: all.reduce((sum, { records }) => sum + records, 0),
        waitingBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
        oldestAgeMs: times.length ? Math.max(0, Date.now() - Math.min(...times)) : 0,
        ...totals,
      };
    },
    async test(target, projectSlug) {
      const eventId = createEventId();
      const nowMs = Date.now();
      const event = {
        event_id: eventId,
        timestamp: nowMs / 1000,
        platform: 'other',
        level: 'info',
        logger: 'culprit.mirror',
        message: texts.test(projectSlug),
      };
      const item = { header: { type: 'event' }, payload: JSON.stringify(event) };
      const body = serializeEnvelope({ event_id: eventId, sent_at: new Date(nowMs).toISOString() }, [item]);
      const head = { kind: 'envelope', receivedAt: nowMs, encoding: '', categories: [] } as const;
      using kept = keepConnections(target.base, { allow, lookup, maxConnections: 1 });
      try {
        const answer = await kept.send(callFor(target, head, body, getId()), AbortSignal.timeout(15_000));
        const verdict = judge(answer, nowMs);
        const why = 'why' in verdict ? verdict.why : texts.answered(answer.status, answer.body.slice(0, 300));
        return { eventId, accepted: verdict.kind === 'forwarded', answer: why };
      } catch (error) {
        return { eventId, accepted: false, answer: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

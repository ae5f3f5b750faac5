/** One job from its first event to its last. Running it again changes nothing that it has done. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from '../../ports/events/events.ts';
import { type Apart, followRevisions, joinIssues } from '../issues/index.ts';
import type { Symbolicator } from '../artifacts/symbolicator.ts';
import { readSettings } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { symbolication as texts } from '../../base/texts/requests.ts';
import { affectedEvents, type EventKey, readEvents } from './affected.ts';
import { type Job, noteProgress } from './jobs.ts';
import { reviseEvents } from './revise.ts';

export interface JobStores {
  readonly state: State;
  readonly events: Events;
  readonly symbolicator: Symbolicator;
  /** Of the installation; hex. */
  readonly pseudonymKey: string;
}

export interface JobOptions {
  /** Who has claimed the job. */
  readonly node: string;
  /** How far back events are looked for, days. */
  readonly days: number;
  /** Told before events of the project are revised. */
  readonly onRevising?: () => void;
  readonly onProgress: (issueIds: readonly number[]) => void;
  readonly signal: AbortSignal;
}

const chunkSize = 100;
const maxEvents = 50_000;
const dayMs = 24 * 60 * 60_000;
/** What was being processed when the maps came is stored by then. */
const settleMs = 4_000;

/** Returns what was left out, in words; '' for nothing. */
export async function runJob(stores: JobStores, job: Job, options: JobOptions): Promise<string> {
  const seen = new Set<string>();
  const titled = new Set<number>();
  const places = new Map<number, Map<number, number>>();
  const counts = { total: 0, done: 0, mapped: 0 };
  const claimed = { id: job.id, node: options.node };
  const sinceMs = job.createdAt - options.days * dayMs;

  async function pass(limit: number): Promise<number> {
    const keys = await affectedEvents(stores.events, job, { sinceMs, limit: limit + 1 });
    const fresh = keys.slice(0, limit).filter(({ id }) => !seen.has(id));
    counts.total += fresh.length;
    await noteProgress(stores.state, claimed, counts);
    for (let start = 0; start < fresh.length && !options.signal.aborted; start += chunkSize) {
      await chunk(fresh.slice(start, start + chunkSize));
    }
    return keys.length;
  }

  async function chunk(keys: readonly EventKey[]): Promise<void> {
    const startedAt = performance.now();
    const now = Date.now();
    const stored = await readEvents(stores.events, job.projectId, keys);
    const settings = await readSettings(stores, job.projectId);
    if (!settings) return;
    const project = { id: job.projectId, settings };
    const revised = await reviseEvents(stores.symbolicator, project, stored, now);
    const [first] = revised.rows;
    // Hashes first: an event of the same kind that comes meanwhile is then found where these are.
    const moved = await followRevisions(stores.state, job.projectId, revised.events, titled, now);
    if (first) options.onRevising?.();
    if (first) await stores.events.insert('revisions', revised.rows, `symbolication:${job.id}:${first.event_id}`);
    for (const { issueId, wouldBe } of moved) count(places, issueId, wouldBe);
    for (const { id } of keys) seen.add(id);
    counts.done += keys.length;
    counts.mapped += revised.rows.length;
    await noteProgress(stores.state, claimed, counts);
    options.onProgress([...new Set(moved.map(({ issueId }) => issueId))]);
    // Half of the time is for events that come.
    await delay(performance.now() - startedAt, undefined, { signal: options.signal }).catch(() => {});
  }

  const found = await pass(maxEvents);
  if (job.wanted.eventId === undefined) {
    const waitMs = Math.max(0, job.createdAt + settleMs - Date.now());
    await delay(waitMs, undefined, { signal: options.signal }).catch(() => {});
    if (!options.signal.aborted) await pass(maxEvents);
  }
  if (options.signal.aborted) return '';
  for (const pair of same(places)) {
    const left = await joinIssues(stores.state, job.projectId, pair, Date.now());
    if (left !== undefined) options.onProgress([left]);
  }
  await stores.symbolicator.flush(true);
  return found > maxEvents ? texts.newest(maxEvents) : '';
}

function count(places: Map<number, Map<number, number>>, from: number, to: number): void {
  const of = places.get(from) ?? new Map<number, number>();
  of.set(to, (of.get(to) ?? 0) + 1);
  places.set(from, of);
}

/** Issues all of whose events would be in one other issue now. Where they would scatter, a person decides. */
function same(places: ReadonlyMap<number, ReadonlyMap<Apart['wouldBe'], number>>): [number, number][] {
  return [...places].flatMap(([from, targets]): [number, number][] => {
    const [to, ...more] = targets.keys();
    return to === undefined || to === from || more.length ? [] : [[from, to]];
  });
}

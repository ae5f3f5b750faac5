/**
 * One round: takes suspects that are due, looks for problems in their stored segments, and records each as an event of
 * an issue. Broken off anywhere and repeated it changes nothing: issues are found by their hash, events by their id.
 */
import { hash } from 'node:crypto';
import type { Claimer } from '../../base/jobs/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { ErrorRow } from '../../base/tables/errors.ts';
import { createFate, recordBatch, type RecordedProject } from '../issues/index.ts';
import { parseSettings } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { detectProblems } from './detect.ts';
import { type ProblemEvent, toProblemEvent } from './problem-event.ts';
import { readSegments } from './read-segments.ts';
import { finishSuspects, type TakenSuspect, takeSuspects } from './suspects.ts';

export interface ExamineStores {
  readonly state: State;
  readonly events: Events;
}

export interface Round {
  /** How many suspects were taken; 0 when none was due. */
  readonly taken: number;
  /** Undefined where nothing was found. */
  readonly recorded: RecordedProject | undefined;
}

/** Suspects of one round, read in one query: those beside each other share what the store reads for them. */
const roundSize = 100;
/** For roots that are to come: so often, each time waiting twice as long. */
const maxPostponements = 4;
const shortestWaitMs = 1_000;
/** A round may take longer than a beat of the heart. */
const shortestLeaseMs = 60_000;

/** `now` is ms since the epoch, `waitMs` what late spans are waited for. */
export async function examineDue(
  { state, events }: ExamineStores,
  { now, waitMs, claimer }: { readonly now: number; readonly waitMs: number; readonly claimer: Claimer },
): Promise<Round> {
  const leaseMs = Math.max(shortestLeaseMs, claimer.leaseMs);
  const suspects = await takeSuspects(state, { node: claimer.node, leaseMs, nowMs: now }, roundSize);
  const [first] = suspects;
  if (!first) return { taken: 0, recorded: undefined };
  const { projectId } = first;
  const [read, project] = await Promise.all([
    readSegments(events, projectId, suspects),
    state.db.selectFrom('project').select('settings').where('id', '=', projectId).executeTakeFirst(),
  ]);
  const postponed = new Map<TakenSuspect, number>();
  const examined: TakenSuspect[] = [];
  const found = new Map<string, ProblemEvent>();
  const settings = project && parseSettings(project.settings).performance;
  for (const { suspect, segments, complete } of read) {
    if (!complete && suspect.attempts <= maxPostponements) {
      postponed.set(suspect, now + Math.max(waitMs, shortestWaitMs) * 2 ** suspect.attempts);
      continue;
    }
    examined.push(suspect);
    for (const stored of settings ? segments : []) {
      for (const problem of settings ? detectProblems(stored.segment, settings) : []) {
        const event = toProblemEvent(problem, stored, now);
        found.set(event.row.event_id, event);
      }
    }
  }
  const recorded = found.size ? await record({ state, events }, projectId, [...found.values()], now) : undefined;
  await finishSuspects(state, claimer.node, examined, postponed, now + waitMs);
  return { taken: suspects.length, recorded };
}

/** Issues first: a hash has its issue before its events can be seen. */
async function record(
  { state, events }: ExamineStores,
  projectId: number,
  found: readonly ProblemEvent[],
  now: number,
): Promise<RecordedProject | undefined> {
  const known = await knownEvents(
    events,
    projectId,
    found.map(({ row }) => row),
  );
  const fresh = found.filter(({ row }) => !known.has(row.event_id));
  if (fresh.length === 0) return undefined;
  const fate = createFate();
  const [recorded] = await recordBatch(state, fresh, now, { fate });
  if (!recorded) return undefined;
  const rows = fresh.filter((event) => !fate.dropped.has(event)).map(({ row }) => row);
  if (!rows.length) return recorded;
  const ids = rows.map((row) => row.event_id).toSorted();
  await events.insert('errors', rows, `performance:${hash('sha256', ids.join(), 'hex')}`);
  return recorded;
}

/** Of these events those that are stored. */
async function knownEvents(events: Events, projectId: number, rows: readonly ErrorRow[]): Promise<ReadonlySet<string>> {
  const stored = await events.query<{ id: string }>(
    `SELECT event_id AS id FROM errors
     WHERE project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)} AND event_id IN {ids:Array(String)}`,
    {
      project: projectId,
      hashes: [...new Set(rows.map((row) => row.group_hash))],
      ids: rows.map((row) => row.event_id),
    },
  );
  return new Set(stored.map(({ id }) => id));
}

/** Events go the way of all others, through the log, with the mark that only an import sets. */
import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import { gaps } from '../../../base/texts/imports.ts';
import type { Position } from '../../../ports/queue/log.ts';
import { receivedParts } from '../../../ports/queue/received.ts';
import { Absent } from '../client.ts';
import type { ImportContext } from '../context.ts';
import { gapOf } from '../offered.ts';
import type { EventRecord, IssueRecord, ProjectRecord } from '../records.ts';
import type { Reporter } from '../report.ts';

/** As large as one of an SDK may be. */
const maxEventBytes = 1024 * 1024;
const idsAtOnce = 5_000;
/** A log that is full is tried again after so long. */
const fullMs = 1_000;

/** Where events of a project go. */
export interface EventTarget {
  readonly projectId: number;
  readonly keyId: number;
  /** ms since the epoch; what is older is past its retention. */
  readonly keepFrom: number;
}

/** The newest that may come, with what may not told in the report. */
export async function listEvents(
  { source, from, settings, reporter }: ImportContext,
  project: ProjectRecord,
  issue: IssueRecord,
  { keepFrom }: Pick<EventTarget, 'keepFrom'>,
): Promise<readonly EventRecord[]> {
  const events = new Map<string, EventRecord>();
  let seen = 0;
  if (settings.events === 0) return [];
  try {
    for await (const event of source.events(from, project, issue)) {
      seen += 1;
      if (event.id === '') reporter.gap('event', '', gaps.eventId, issue.shortId);
      else if (event.at < keepFrom) reporter.gap('event', '', gaps.tooOld, issue.shortId);
      else if (settings.since !== null && event.at < settings.since)
        reporter.gap('event', '', gaps.before, issue.shortId);
      else events.set(event.id, event);
      if (seen >= settings.events) break;
    }
  } catch (error) {
    if (!(error instanceof Absent) || error.status === 403) throw error;
    reporter.gap('event', '', gapOf(error, gaps.gone), issue.shortId);
  }
  if (issue.count > seen) reporter.gap('event', '', gaps.beyond, issue.shortId, issue.count - seen);
  return [...events.values()];
}

/** Appends it; false where it cannot come. */
export async function sendEvent(
  { log, reporter, signal, noteFull }: ImportContext,
  event: EventRecord,
  { projectId, keyId, keepFrom }: EventTarget,
): Promise<boolean> {
  const payload = await loadEvent(event, reporter);
  if (!payload) {
    return false;
  }
  const text = JSON.stringify({ ...payload, event_id: event.id, timestamp: payload['timestamp'] ?? event.at / 1000 });
  if (Buffer.byteLength(text) > maxEventBytes) {
    reporter.gap('event', '', gaps.tooLarge, event.id);
    return false;
  }
  const body = Buffer.from(`${JSON.stringify({ event_id: event.id })}\n{"type":"event"}\n${text}\n`);
  const head = { kind: 'envelope', projectId, keyId, receivedAt: Date.now(), encoding: '' } as const;
  for (let isRefused = false; ; isRefused = true) {
    try {
      await log.append(...receivedParts({ ...head, imported: { keepFrom } }, body));
      if (isRefused) noteFull(0);
      return true;
    } catch (error) {
      if (!(error instanceof CodedError) || !['LOG_FULL', 'LOG_UNAVAILABLE'].includes(error.code)) throw error;
      noteFull(fullMs);
      await delay(fullMs, undefined, { signal });
    }
  }
}

/** Undefined, and told in the report, for one that was deleted there meanwhile, or that the tracker fails to give. */
async function loadEvent(
  event: EventRecord,
  reporter: Reporter,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await event.load();
  } catch (error) {
    if (!(error instanceof Absent) || error.status === 403) throw error;
    reporter.gap('event', '', gapOf(error, gaps.gone), event.id);
    return undefined;
  }
}

/** Hashes by id, of those that are stored. */
export async function storedHashes(
  { events }: Pick<ImportContext, 'events'>,
  projectId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const chunk of chunksOf(ids, idsAtOnce)) {
    const rows = await events.query<{ id: string; hash: string }>(
      `SELECT event_id AS id, group_hash AS hash FROM errors
       WHERE project_id = {project:UInt64} AND event_id IN {ids:Array(String)}`,
      { project: projectId, ids: chunk },
    );
    for (const { id, hash } of rows) found.set(id, hash);
  }
  return found;
}

const pollMs = 150;
/** What is not stored so long after the last that was is not stored at all. */
const giveUpAfterMs = 60_000;

/** Undefined while the log is away. */
async function asked<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CodedError && error.code === 'LOG_UNAVAILABLE') return undefined;
    throw error;
  }
}

type Passing = Pick<ImportContext, 'log' | 'signal'>;

/** A position after all that is in the log now. */
async function endOf({ log, signal }: Passing): Promise<Position> {
  for (;;) {
    const end = await asked(() => log.end());
    if (end !== undefined) return end;
    await delay(pollMs, undefined, { signal });
  }
}

/** Resolves once all that is in the log now has been processed, on whichever node. */
export async function untilPassed(context: Passing): Promise<void> {
  const end = await endOf(context);
  while (!(await asked(() => context.log.isDoneBefore(end)))) {
    await delay(pollMs, undefined, { signal: context.signal });
  }
}

/** Resolves once they are stored, or will not be. */
export async function untilStored(
  context: Passing & Pick<ImportContext, 'events'>,
  projectId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>();
  const end = await endOf(context);
  let progressAt = Date.now();
  for (;;) {
    const missing = ids.filter((id) => !stored.has(id));
    // Asked before: what is done by then is stored, or never will be.
    const isDone = await asked(() => context.log.isDoneBefore(end));
    const found = await storedHashes(context, projectId, missing);
    for (const [id, hash] of found) stored.set(id, hash);
    if (stored.size === ids.length || isDone) return stored;
    if (found.size > 0) progressAt = Date.now();
    if (Date.now() - progressAt > giveUpAfterMs) return stored;
    await delay(pollMs, undefined, { signal: context.signal });
  }
}

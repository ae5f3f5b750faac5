/**
 * Issues, a few at a time: their events first, which make them; once these are stored, what people did with them. The status
 * is set last, so that no event that came with it can change it.
 */
import { gaps } from '../../../base/texts/imports.ts';
import { chunksOf } from '../../../base/chunks.ts';
import { mergeIssues, ownersOfHashes } from '../../issues/index.ts';
import { listKeys, type Project } from '../../projects/index.ts';
import { agesOf, daysFor } from '../../retention/index.ts';
import { Absent } from '../client.ts';
import type { ImportContext } from '../context.ts';
import { gapOf } from '../offered.ts';
import { inParallel } from '../parallel.ts';
import type { EventRecord, HistoryRecord, IssueRecord, ProjectRecord } from '../records.ts';
import { type EventTarget, listEvents, sendEvent, storedHashes, untilStored } from './events.ts';
import type { People } from './people.ts';
import { writeIssue } from './write-issue.ts';

const dayMs = 86_400_000;
const issuesAtOnce = 40;
const requestsAtOnce = 4;
/** Of one project; more are told. */
const maxIssues = 200_000;

interface Work {
  readonly issue: IssueRecord;
  readonly events: readonly EventRecord[];
  readonly history: HistoryRecord;
}

export async function importIssues(
  context: ImportContext,
  record: ProjectRecord,
  project: Project | undefined,
  people: People,
): Promise<void> {
  const { settings, reporter } = context;
  const issues = await listIssues(context, record);
  context.addIssues(issues.length);
  if (settings.dryRun || !project) {
    reporter.made('issue', issues.length);
    const events = issues.reduce((sum, { count }) => sum + Math.min(count, settings.events), 0);
    reporter.made('event', events);
    return;
  }
  const [key] = await listKeys(context.state, project.id);
  const { errors } = await agesOf(context.state, context.retentionDays);
  const target = {
    projectId: project.id,
    keyId: key?.id ?? 0,
    keepFrom: Date.now() - daysFor(errors, project.id) * dayMs,
  };
  for (const chunk of chunksOf(issues, issuesAtOnce)) {
    context.signal.throwIfAborted();
    const left = await withoutDone(context, chunk);
    await importChunk(context, record, target, left, people);
    context.addDone(chunk.length);
  }
}

async function listIssues(
  { source, from, settings, reporter }: ImportContext,
  record: ProjectRecord,
): Promise<IssueRecord[]> {
  const issues: IssueRecord[] = [];
  for await (const issue of source.issues(from, record)) {
    if (settings.since !== null && issue.lastSeen < settings.since)
      reporter.gap('issue', '', gaps.before, issue.shortId);
    else if (issues.length >= maxIssues) reporter.gap('issue', '', gaps.limit, issue.shortId);
    else issues.push(issue);
  }
  return issues;
}

/** A run that is continued leaves out what it had done. */
async function withoutDone({ ledger }: ImportContext, issues: readonly IssueRecord[]): Promise<readonly IssueRecord[]> {
  const entries = await ledger.findMany(
    'issue',
    issues.map(({ id }) => id),
  );
  return issues.filter(({ id }) => entries.get(id)?.runId !== ledger.runId);
}

async function importChunk(
  context: ImportContext,
  record: ProjectRecord,
  target: EventTarget,
  issues: readonly IssueRecord[],
  people: People,
): Promise<void> {
  const { reporter } = context;
  const works = await inParallel(issues, requestsAtOnce, async (issue): Promise<Work> => {
    const [events, history] = [await listEvents(context, record, issue, target), await historyOf(context, issue)];
    return { issue, events, history };
  });
  const listed = works.flatMap(({ events }) => events);
  const before = await storedHashes(context, target.projectId, [...new Set(listed.map(({ id }) => id))]);
  const missing = new Map(listed.filter(({ id }) => !before.has(id)).map((event) => [event.id, event]));
  reporter.known('event', before.size);
  const sent: string[] = [];
  await inParallel([...missing.values()], requestsAtOnce, async (event) => {
    if (await sendEvent(context, event, target)) sent.push(event.id);
    context.addEvents(1);
  });
  const stored = await untilStored(context, target.projectId, sent);
  reporter.made('event', stored.size);
  if (stored.size < sent.length) {
    const lost = sent.filter((id) => !stored.has(id));
    reporter.gap('event', '', gaps.notStored, lost[0], lost.length);
  }
  const hashes = new Map([...before, ...stored]);
  const owners = await ownersOfHashes(context.state, target.projectId, [...new Set(hashes.values())]);
  for (const work of works)
    await place(context, target.projectId, work, people, (id) => owners.get(hashes.get(id) ?? ''));
}

async function historyOf({ source, from, reporter }: ImportContext, issue: IssueRecord): Promise<HistoryRecord> {
  try {
    return await source.history(from, issue);
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    reporter.gap('comment', '', gapOf(error, gaps.gone), issue.shortId);
    return { comments: [] };
  }
}

/** Finds the issue that its events came to, the one with most of them, and writes there what else is known of it. */
async function place(
  context: ImportContext,
  projectId: number,
  { issue, events, history }: Work,
  people: People,
  ownerOf: (eventId: string) => number | undefined,
): Promise<void> {
  const { reporter, ledger, settings, userId } = context;
  const counts = new Map<number, number>();
  for (const { id } of events) {
    const owner = ownerOf(id);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const [first, ...others] = [...counts].toSorted(([a, n], [b, m]) => m - n || a - b).map(([id]) => id);
  if (first === undefined) {
    reporter.gap('issue', '', gaps.noEvents, issue.shortId || issue.title);
    await ledger.note('issue', issue.id, '');
    return;
  }
  if (others.length && settings.keepGroups) {
    const merged = { issueIds: [first, ...others], into: first, userId, nowMs: Date.now() };
    await mergeIssues(context, merged);
  } else if (others.length) {
    reporter.gap('issue', 'grouping', gaps.apart, issue.shortId);
  }
  await writeIssue(context, { projectId, issueId: first, issue, history, people });
}

/**
 * Gives issues to their owners: those of a new kind, and those that came back and are nobody's.
 *
 * Read from the activity of issues, where each first sight and each regression stands once it has come to pass, so the
 * pipeline is not held up and nothing is missed after a crash: how far it has read is kept. Entries that were read
 * already are read again now and then (another node may commit a smaller number later); assigning again changes nothing.
 * What a person decided, also that it is nobody's, is never changed.
 */
import type { Job } from '../../base/jobs/index.ts';
import { assign, type AssignedTo } from '../issues/index.ts';
import type { Live } from '../../base/live.ts';
import { findSuspects } from '../releases/index.ts';
import { listCodeMappings } from '../repositories/index.ts';
import { peopleOf } from '../teams/index.ts';
import { decide, matchesOf } from './evaluate.ts';
import { factsOfIssue, type Stores } from './issue-facts.ts';
import { type Owner, ownersAmong } from './people.ts';
import { getOwnership, type Ownership, ruleSetOf } from './store.ts';
import { authorsOf } from './suggest.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface AssignerOptions extends Stores {
  readonly live: Live;
}

interface Entry {
  readonly id: number;
  readonly issueId: number;
  /** When this program first read it, ms since the epoch: one that crashed may have left it long ago. */
  readonly readAt: number;
}

const occasions = ['first_seen', 'set_regression'] as const;
export const activityBookmark = 'ownership_read_to';
/** Changes of many issues write five hundred entries at a time, while another node has not committed a smaller number yet. */
const readAgain = 2_000;
const batch = 200;
/** The event is stored a moment after the issue; after a crash, a moment after the start. */
const waitForEventMs = 60_000;
/** Between looks at what happened, ms. */
const everyMs = 2_000;

export function createAssigner({ state, events, live }: AssignerOptions): Job {
  const stores = { state, events };
  const done = new Set<number>();
  let waiting: Entry[] = [];
  let readTo: number | undefined;
  /** What came to pass before it first ran is left alone. */
  let floor = 0;
  let keptTo = 0;

  const keep = async (value: number): Promise<void> => {
    await state.db
      .insertInto('setting')
      .values({ name: activityBookmark, value: String(value) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(value) }))
      .execute();
  };

  const lastEntry = async (): Promise<number> => {
    const row = await state.db
      .selectFrom('issue_activity')
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .executeTakeFirst();
    return Number(row?.id ?? 0);
  };

  /** A new installation begins with what happens from now on. */
  const start = async (): Promise<number> => {
    const row = await state.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', activityBookmark)
      .executeTakeFirst();
    if (row) return Number(row.value);
    floor = await lastEntry();
    await keep(floor);
    return floor;
  };

  const look = async (signal: AbortSignal): Promise<void> => {
    readTo ??= await start();
    const last = await lastEntry();
    const before = readTo;
    const rows = await state.db
      .selectFrom('issue_activity')
      .select(['id', 'issue_id as issueId', 'created_at as at'])
      .where('id', '>', Math.max(floor, before - readAgain))
      .where('id', '<=', last)
      .where('type', 'in', occasions)
      .orderBy('id')
      .limit(batch + readAgain)
      .execute();
    const known = new Set(waiting.map(({ id }) => id));
    const nowMs = Date.now();
    const lateSince = nowMs - waitForEventMs;
    const found = rows.filter(
      ({ id, at }) => !done.has(id) && !known.has(id) && (id > before || Number(at) > lateSince),
    );
    const entries = [...waiting, ...found.map(({ id, issueId }) => ({ id, issueId, readAt: nowMs }))];
    waiting = entries.length ? await handle(entries, signal) : [];
    const still = new Set(waiting.map(({ id }) => id));
    for (const { id } of entries) if (!still.has(id)) done.add(id);
    const full = rows.length === batch + readAgain;
    const to = full ? (rows.at(-1)?.id ?? last) : last;
    for (const id of done) if (id <= to - readAgain) done.delete(id);
    // What waits is read again after a crash.
    const kept = Math.min(to, ...waiting.map(({ id }) => id - 1));
    if (kept !== keptTo) await keep(kept);
    keptTo = kept;
    readTo = to;
  };

  /** Returns those whose events are not stored yet. */
  async function handle(entries: readonly Entry[], signal: AbortSignal): Promise<Entry[]> {
    const free = await freeIssues(
      stores,
      entries.map(({ issueId }) => issueId),
    );
    const later: Entry[] = [];
    for (const [projectId, ofProject] of Map.groupBy(
      entries.filter(({ issueId }) => free.has(issueId)),
      ({ issueId }) => free.get(issueId)?.projectId ?? 0,
    )) {
      const ownership = await getOwnership(state, projectId);
      if (!says(ownership)) continue;
      const project = await state.db
        .selectFrom('project')
        .select(['id', 'organization_id as organizationId'])
        .where('id', '=', projectId)
        .executeTakeFirst();
      if (!project) continue;
      const { organizationId } = project;
      const owners = ownersAmong(await peopleOf(state, organizationId));
      const mappings = await listCodeMappings(state, organizationId, [projectId]);
      const ruleSet = ruleSetOf(ownership);
      for (const entry of ofProject) {
        const issue = free.get(entry.issueId);
        if (!issue) continue;
        // The next start goes on from here.
        if (signal.aborted) {
          later.push(entry);
          continue;
        }
        const facts = await factsOfIssue(stores, issue, mappings);
        if (!facts) {
          if (Date.now() - entry.readAt < waitForEventMs) later.push(entry);
          continue;
        }
        if (ownership.autoAssignment === 'owners') {
          const owner = decide(matchesOf(ruleSet, facts, owners))?.owner;
          if (owner) await give(issue.id, owner, 'ownership');
        } else {
          const asked = { version: issue.firstRelease, frame: facts.top, mappings };
          const { suspects } = await findSuspects(state, organizationId, asked);
          const [author] = authorsOf(suspects, owners);
          if (author) await give(issue.id, author.owner, 'commit');
        }
      }
    }
    return later;
  }

  const give = async (issueId: number, owner: Owner, why: 'ownership' | 'commit'): Promise<void> => {
    const to: AssignedTo = owner.kind === 'user' ? { kind: 'user', id: owner.id } : { kind: 'team', id: owner.id };
    await assign({ state, live }, { issueIds: [issueId], to, byUserId: null, why, onlyFree: true, nowMs: Date.now() });
  };

  return {
    name: 'ownership',
    title: jobTexts.ownership.title,
    nodes: 'one',
    everyMs,
    needsEvents: true,
    failed: jobTexts.ownership.failed,
    async run({ isFresh, signal }) {
      if (isFresh) {
        // Another node may have read further.
        readTo = undefined;
        waiting = [];
        done.clear();
      }
      await look(signal);
    },
  };
}

const says = ({ autoAssignment, raw, codeowners }: Ownership): boolean =>
  autoAssignment === 'commits' || (autoAssignment === 'owners' && (raw.trim() !== '' || codeowners.length > 0));

interface FreeIssue {
  readonly id: number;
  readonly projectId: number;
  readonly firstRelease: string | null;
}

/** Those that nobody has and of which no person said whose they are. */
async function freeIssues({ state }: Stores, ids: readonly number[]): Promise<ReadonlyMap<number, FreeIssue>> {
  const unique = [...new Set(ids)];
  const rows = await state.db
    .selectFrom('issue')
    .select(['id', 'project_id as projectId', 'first_release as firstRelease'])
    .where('id', 'in', unique)
    .where('merged_into', 'is', null)
    .where('assignee_user_id', 'is', null)
    .where('assignee_team_id', 'is', null)
    .execute();
  const decided = await state.db
    .selectFrom('issue_activity')
    .select('issue_id')
    .where('issue_id', 'in', unique)
    .where('type', 'in', ['assigned', 'unassigned'])
    .where('user_id', 'is not', null)
    .execute();
  const byPeople = new Set(decided.map((row) => row.issue_id));
  return new Map(rows.filter(({ id }) => !byPeople.has(id)).map((row) => [row.id, row]));
}

/**
 * Commits that say which issues they fix: "fixes WEB-12", "Resolved: WEB-12, API-3 and API-4", in any case. They come
 * with a release, and resolve the issues in it; each commit resolves an issue once, in however many releases it is.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { Ordered } from '../../release-order/index.ts';
import { type CommitName, parseDetails } from './details.ts';
import { type Changed, type Move, transition } from './transition.ts';

const longestMessage = 10_000;
/** Issues that one commit may fix. */
const maxNamed = 50;

// Each part of a list is taken from where the one before ended, so that no text is read twice.
const verb = /(?<![\p{L}\p{N}_-])(?:fix(?:e[sd])?|resolve[sd]?|close[sd]?)(?::|\s)\s*/giu;
const shortId = /#?([\p{L}\p{N}][\p{L}\p{N}_-]{0,63})-(\d{1,9})(?![\p{L}\p{N}_-])/uy;
const between = /\s*(?:,\s*(?:and\s+|&\s*)?|and\s+|&\s*)/iy;

export interface NamedIssue {
  /** In capitals. */
  readonly prefix: string;
  readonly number: number;
}

/** Each once, in the order of the message. */
export function issuesNamed(message: string): NamedIssue[] {
  const text = message.slice(0, longestMessage);
  const named = new Map<string, NamedIssue>();
  for (const { index, 0: said } of text.matchAll(verb)) {
    for (let at = index + said.length; named.size < maxNamed;) {
      shortId.lastIndex = at;
      const found = shortId.exec(text);
      if (!found) break;
      const [whole, prefix = '', digits = ''] = found;
      const one = { prefix: prefix.toUpperCase(), number: Number(digits) };
      named.set(`${one.prefix}-${one.number}`, one);
      between.lastIndex = at + whole.length;
      at = between.test(text) ? between.lastIndex : text.length;
    }
  }
  return [...named.values()];
}

export interface ReleasedCommit {
  /** Of the stored commit. */
  readonly id: number;
  readonly sha: string;
  readonly repository: string;
  readonly message: string;
  readonly authorEmail: string;
}

export interface ReleasedCommits {
  readonly organizationId: string;
  /** Of which the release is: it says nothing about issues of others. */
  readonly projectIds: readonly number[];
  readonly release: Ordered;
  readonly commits: readonly ReleasedCommit[];
}

/** Resolves what the commits of a release fix, and what was waiting for one of them. `now`: ms since the epoch. */
export async function resolveByCommits(
  trx: StateTransaction,
  { organizationId, projectIds, release, commits }: ReleasedCommits,
  now: number,
): Promise<Changed[]> {
  if (!projectIds.length || !commits.length) return [];
  const awaited = await resolveAwaited(trx, { projectIds, release, commits }, now);
  const fixes = await newFixes(trx, projectIds, commits, now);
  const changed = [...awaited];
  for (const [email, ofAuthor] of Map.groupBy(fixes, ({ commit }) => commit.authorEmail)) {
    const userId = await memberOf(trx, organizationId, email);
    const moves = ofAuthor.map(({ issueId, commit }): Move => {
      const inCommit = nameOf(commit);
      const data = { ...inCommit, version: release.version, message: firstLine(commit.message) };
      return { issueId, trigger: 'commit_named', details: { inCommit, inRelease: release.version }, data };
    });
    changed.push(...(await transition(trx, moves, { userId, nowMs: now })));
  }
  return changed;
}

const nameOf = ({ sha, repository }: ReleasedCommit): CommitName => ({ commit: sha, repository });

const firstLine = (message: string): string => (message.trim().split('\n', 1)[0] ?? '').slice(0, 200);

/** Issues with the commit that fixes them, where it is not known to have done so before. */
async function newFixes(
  trx: StateTransaction,
  projectIds: readonly number[],
  commits: readonly ReleasedCommit[],
  now: number,
): Promise<{ issueId: number; commit: ReleasedCommit }[]> {
  const wanted = commits.flatMap((commit) => issuesNamed(commit.message).map((named) => ({ ...named, commit })));
  if (!wanted.length) return [];
  const projects = await trx
    .selectFrom('project')
    .select(['id', 'short_id_prefix'])
    .where('id', 'in', projectIds)
    .execute();
  const ids = new Map(projects.map((project) => [project.short_id_prefix.toUpperCase(), project.id]));
  const fixes: { issueId: number; commit: ReleasedCommit }[] = [];
  for (const [prefix, ofProject] of Map.groupBy(wanted, (one) => one.prefix)) {
    const projectId = ids.get(prefix);
    if (projectId === undefined) continue;
    const issues = await issuesOf(
      trx,
      projectId,
      ofProject.map((one) => one.number),
    );
    for (const { number, commit } of ofProject) {
      const issueId = issues.get(number);
      if (issueId !== undefined) fixes.push({ issueId, commit });
    }
  }
  const fresh: typeof fixes = [];
  for (const chunk of chunksOf(fixes, 500)) {
    const rows = await trx
      .insertInto('issue_commit')
      .values(chunk.map(({ issueId, commit }) => ({ issue_id: issueId, commit_id: commit.id, created_at: now })))
      .onConflict((conflict) => conflict.columns(['issue_id', 'commit_id']).doNothing())
      .returning(['issue_id', 'commit_id'])
      .execute();
    const made = new Set(rows.map((row) => `${row.issue_id}:${row.commit_id}`));
    fresh.push(...chunk.filter(({ issueId, commit }) => made.has(`${issueId}:${commit.id}`)));
  }
  return fresh;
}

/** By number; of one that was merged or joined, the issue that stands for it. */
async function issuesOf(
  trx: StateTransaction,
  projectId: number,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>();
  for (const chunk of chunksOf([...new Set(numbers)])) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'number', 'merged_into'])
      .where('project_id', '=', projectId)
      .where('number', 'in', chunk)
      .execute();
    for (const row of rows) ids.set(row.number, row.merged_into ?? row.id);
    const joined = await trx
      .selectFrom('issue_alias')
      .select(['number', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('number', 'in', chunk)
      .execute();
    for (const row of joined) if (!ids.has(row.number)) ids.set(row.number, row.issue_id);
  }
  return ids;
}

/** The member of the organisation who has the address. */
async function memberOf(trx: StateTransaction, organizationId: string, email: string): Promise<string | null> {
  if (email === '') return null;
  const row = await trx
    .selectFrom('user')
    .innerJoin('member', 'member.userId', 'user.id')
    .select('user.id')
    .where('member.organizationId', '=', organizationId)
    .where('user.email', '=', email.toLowerCase())
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Issues that wait for a commit which this release has. */
async function resolveAwaited(
  trx: StateTransaction,
  { projectIds, release, commits }: Omit<ReleasedCommits, 'organizationId'>,
  now: number,
): Promise<Changed[]> {
  const waiting = await trx
    .selectFrom('issue')
    .select(['id', 'status_details'])
    .where('project_id', 'in', projectIds)
    .where('substatus', '=', sql.lit('in_commit'))
    .where('status', '=', 'resolved')
    .execute();
  const moves: Move[] = [];
  for (const { id, status_details } of waiting) {
    const { inCommit, by } = parseDetails(status_details);
    const commit = inCommit && commits.find((one) => isNamed(one, inCommit));
    if (!commit) continue;
    const details = { by, inCommit: nameOf(commit), inRelease: release.version };
    moves.push({
      issueId: id,
      trigger: 'commit_released',
      details,
      data: { ...nameOf(commit), version: release.version },
    });
  }
  return transition(trx, moves, { userId: null, nowMs: now });
}

const isNamed = (commit: ReleasedCommit, { commit: sha, repository }: CommitName): boolean =>
  commit.sha.toLowerCase().startsWith(sha) && (repository === '' || repository === commit.repository);

/** Issues of the same project that look alike, by what their hashes share. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State } from '../../../ports/state/state.ts';
import { eventsOf, hashFacts } from '../merge/hash-facts.ts';
import { toIssueRow } from '../rows.ts';
import type { IssueRow, IssueStores } from '../types.ts';
import { bandsOf } from './bands.ts';
import { compare, leastScore, type Likeness } from './compare.ts';
import { type Features, readFeatures } from './features.ts';
import { signHashes } from './sign.ts';

export interface SimilarIssue extends Likeness {
  readonly issue: IssueRow;
  /** Stored events. */
  readonly count: number;
  /** ms since the epoch. */
  readonly lastSeen: number;
}

/** Of the issue that is asked about, the newest. */
const maxOwnHashes = 10;
/** The newest of those that share a number; many share what is common, and that says little. */
const maxOfBand = 200;
/** Compared, those that share most first. */
const maxCompared = 60;
const maxFound = 10;

/** The most alike first. */
export async function similarIssues(stores: IssueStores, issue: IssueRow): Promise<SimilarIssue[]> {
  const { state } = stores;
  // What came a moment ago can be meant, too.
  await signHashes(state, 200, issue.projectId);
  const own = await ownFeatures(state, issue);
  if (!own.length) return [];
  const shared = await sharedBands(state, new Set(own.flatMap((one) => bandsOf(issue.projectId, one))));
  const candidates = await candidatesOf(state, issue, shared);
  const best = new Map<number, Likeness>();
  for (const { issueId, features } of candidates) {
    for (const one of own) {
      const likeness = compare(one, features);
      if (likeness.score >= leastScore && likeness.score > (best.get(issueId)?.score ?? 0)) best.set(issueId, likeness);
    }
  }
  const found = [...best].toSorted(([a, x], [b, y]) => y.score - x.score || b - a).slice(0, maxFound);
  return withNumbers(stores, issue.projectId, new Map(found));
}

async function ownFeatures(state: State, issue: IssueRow): Promise<Features[]> {
  const rows = await state.db
    .selectFrom('issue_hash')
    .select(['explanation', 'grouping_version'])
    .where('issue_id', '=', issue.id)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(maxOwnHashes)
    .execute();
  return rows
    .map((row) => readFeatures(row.explanation, row.grouping_version))
    .filter(({ frames, message }) => frames.length > 0 || message !== '');
}

/** How many of the numbers each signature has. */
async function sharedBands(state: State, bands: ReadonlySet<number>): Promise<Map<number, number>> {
  const shared = new Map<number, number>();
  for (const band of bands) {
    const rows = await state.db
      .selectFrom('hash_band')
      .select('signature_id')
      .where('band', '=', band)
      .orderBy('signature_id', 'desc')
      .limit(maxOfBand)
      .execute();
    for (const { signature_id } of rows) shared.set(signature_id, (shared.get(signature_id) ?? 0) + 1);
  }
  return shared;
}

/** Hashes of other issues, without those that somebody said are not the same. */
async function candidatesOf(
  state: State,
  issue: IssueRow,
  shared: ReadonlyMap<number, number>,
): Promise<{ issueId: number; features: Features }[]> {
  const apart = await apartFrom(state, issue.id);
  const ranked = [...shared].toSorted(([a, n], [b, m]) => m - n || b - a).map(([id]) => id);
  const found: { issueId: number; features: Features }[] = [];
  for (const chunk of chunksOf(ranked, 100)) {
    const rows = await state.db
      .selectFrom('hash_signature')
      .innerJoin('issue_hash', (join) =>
        join
          .onRef('issue_hash.project_id', '=', 'hash_signature.project_id')
          .onRef('issue_hash.hash', '=', 'hash_signature.hash'),
      )
      .select(['hash_signature.id', 'issue_hash.issue_id', 'issue_hash.explanation', 'issue_hash.grouping_version'])
      .where('hash_signature.id', 'in', chunk)
      .where('issue_hash.project_id', '=', issue.projectId)
      .where('issue_hash.issue_id', '!=', issue.id)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of chunk) {
      const row = byId.get(id);
      if (!row || apart.has(row.issue_id)) continue;
      found.push({ issueId: row.issue_id, features: readFeatures(row.explanation, row.grouping_version) });
      if (found.length === maxCompared) return found;
    }
  }
  return found;
}

async function apartFrom(state: State, issueId: number): Promise<ReadonlySet<number>> {
  const rows = await state.db
    .selectFrom('issue_apart')
    .select(['issue_id', 'other_id'])
    .where((eb) => eb.or([eb('issue_id', '=', issueId), eb('other_id', '=', issueId)]))
    .execute();
  return new Set(rows.map((row) => (row.issue_id === issueId ? row.other_id : row.issue_id)));
}

async function withNumbers(
  stores: IssueStores,
  projectId: number,
  found: ReadonlyMap<number, Likeness>,
): Promise<SimilarIssue[]> {
  if (!found.size) return [];
  const { db } = stores.state;
  const ids = [...found.keys()];
  const [rows, owned] = await Promise.all([
    db.selectFrom('issue').selectAll().where('id', 'in', ids).where('merged_into', 'is', null).execute(),
    db.selectFrom('issue_hash').select(['hash', 'issue_id']).where('issue_id', 'in', ids).execute(),
  ]);
  const facts = await hashFacts(
    stores,
    projectId,
    owned.map(({ hash }) => hash),
  );
  const hashes = Map.groupBy(owned, (row) => row.issue_id);
  const byId = new Map(rows.map((row) => [row.id, toIssueRow(row)]));
  return [...found].flatMap(([id, likeness]) => {
    const issue = byId.get(id);
    if (!issue) return [];
    const own = (hashes.get(id) ?? []).map(({ hash }) => hash);
    const last = Math.max(...own.map((hash) => facts.get(hash)?.last ?? -Infinity));
    const lastSeen = Number.isFinite(last) ? last : issue.lastSeen;
    return [{ ...likeness, issue, count: eventsOf(facts, own), lastSeen }];
  });
}

interface Pair {
  readonly issueId: number;
  readonly otherId: number;
}

const ordered = ({ issueId, otherId }: Pair) => ({
  issue_id: Math.min(issueId, otherId),
  other_id: Math.max(issueId, otherId),
});

/** Somebody says that they are not the same; neither is offered for the other any more. */
export async function keepApart(state: State, pair: Pair, userId: string, nowMs: number): Promise<void> {
  await state.db
    .insertInto('issue_apart')
    .values({ ...ordered(pair), user_id: userId, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(['issue_id', 'other_id']).doNothing())
    .execute();
}

export async function allowAgain(state: State, pair: Pair): Promise<void> {
  const { issue_id, other_id } = ordered(pair);
  await state.db.deleteFrom('issue_apart').where('issue_id', '=', issue_id).where('other_id', '=', other_id).execute();
}

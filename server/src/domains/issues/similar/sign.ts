/**
 * Hashes get the numbers by which similar ones are found. Not where they are recorded, so that recording stays what it
 * is: a while later, a few at a time, and those that were there before with them.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { Job } from '../../../base/jobs/index.ts';
import type { State } from '../../../ports/state/state.ts';
import { bandsOf } from './bands.ts';
import { readFeatures } from './features.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

/** Enough to be quick and few enough to be out of the way at once. */
const together = 50;
const idleMs = 5_000;
const busyMs = 50;

/** Signs hashes of any project, or of one; returns how many, at most `limit`. */
export async function signHashes(state: State, limit: number = together, projectId?: number): Promise<number> {
  let query = state.db
    .selectFrom('issue_hash')
    .select(['project_id', 'hash', 'explanation', 'grouping_version'])
    // As written in the index, which only this asks.
    .where(sql.ref('signed'), '=', sql.lit(0));
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  const rows = await query.orderBy('project_id').orderBy('hash').limit(limit).execute();
  if (!rows.length) return 0;
  const signed = rows.map((row) => ({
    project_id: row.project_id,
    hash: row.hash,
    bands: bandsOf(row.project_id, readFeatures(row.explanation, row.grouping_version)),
  }));
  await state.transaction(async (trx) => {
    const ids = sql.join(
      signed.map(({ project_id, hash }) => sql`(cast(${project_id} as bigint), cast(${hash} as text))`),
    );
    // A project may have been deleted meanwhile, and its hashes with it.
    const { rows: left } = await sql<Signed>`
      update issue_hash set signed = 1 where signed = 0 and (project_id, hash) in (values ${ids})
      returning project_id, hash`.execute(trx);
    const isLeft = new Set(left.map(keyOf));
    const bands = new Map(signed.map((one) => [keyOf(one), one.bands]));
    const wanted = signed.filter((one) => one.bands.length > 0 && isLeft.has(keyOf(one)));
    if (wanted.length === 0) return;
    const signatures = await trx
      .insertInto('hash_signature')
      .values(wanted.map(({ project_id, hash }) => ({ project_id, hash })))
      .returning(['id', 'project_id', 'hash'])
      .execute();
    const pairs = signatures.flatMap((one) =>
      (bands.get(keyOf(one)) ?? []).map((band) => ({ band, signature_id: one.id })),
    );
    for (const chunk of chunksOf(pairs, 500)) await trx.insertInto('hash_band').values(chunk).execute();
  });
  return rows.length;
}

interface Signed {
  readonly project_id: number;
  readonly hash: string;
}

const keyOf = ({ project_id, hash }: Signed): string => `${project_id} ${hash}`;

/** Signs what is new every few seconds. */
export const createSigner = (state: State): Job => ({
  name: 'similar-issues',
  title: jobTexts.similarIssues.title,
  nodes: 'one',
  everyMs: idleMs,
  firstMs: idleMs,
  failed: jobTexts.similarIssues.failed,
  async run() {
    const signed = await signHashes(state);
    return signed < together ? undefined : Date.now() + busyMs;
  },
});

/**
 * Issues whose title was made of events that are to be erased: it is made of one that remains, else nothing but the type
 * of the error is left of it. Before the events go, so that a run that breaks off finds them again.
 */
import { chunksOf } from '../../../base/chunks.ts';
import { erase as texts } from '../../../base/texts/erase.ts';
import type { Events, QueryParams } from '../../../ports/events/events.ts';
import type { State } from '../../../ports/state/state.ts';
import { ownersOf, ownersOfHashes } from '../rows.ts';

interface Stores {
  readonly state: State;
  readonly events: Events;
}

/** What goes, as a condition on events. */
interface Going {
  readonly condition: string;
  readonly params: QueryParams;
}

interface Title {
  readonly title: string;
  readonly culprit: string;
}

interface Remaining extends Title {
  readonly hash: string;
  readonly type: string;
  readonly value: string;
}

/** It looks at every event of an issue. */
const patient = { maxExecutionSeconds: 600, inSmallPieces: true };

/** `hashes`: of events that go, in one project. Resolves to how many issues have another title now. */
export async function retitleWithout(
  stores: Stores,
  projectId: number,
  hashes: readonly string[],
  going: Going,
): Promise<number> {
  const { state } = stores;
  const owners = await ownersOfHashes(state, projectId, hashes);
  const byIssue = Map.groupBy(await ownersOf(state, [...new Set(owners.values())]), ([, issueId]) => issueId);
  let count = 0;
  for (const [issueId, own] of byIssue) {
    const ofIssue = own.map(([key]) => key.slice(key.indexOf(':') + 1));
    if (await retitleOne(stores, { projectId, issueId, hashes: ofIssue }, going)) count++;
  }
  return count;
}

async function retitleOne(
  { state, events }: Stores,
  {
    projectId,
    issueId,
    hashes,
  }: { readonly projectId: number; readonly issueId: number; readonly hashes: readonly string[] },
  { condition, params }: Going,
): Promise<boolean> {
  const issue = await state.db
    .selectFrom('issue')
    .select(['title', 'culprit', 'metadata'])
    .where('id', '=', issueId)
    .executeTakeFirst();
  if (!issue) return false;
  const rows: Remaining[] = [];
  let isSaid = false;
  for (const chunk of chunksOf(hashes)) {
    const found = await events.query<Remaining & { said: number }>(
      `SELECT hash, argMax(t, at) AS title, argMax(c, at) AS culprit, argMax(e, at) AS type, argMax(v, at) AS value,
         countIf(t = {oldTitle:String} AND c = {oldCulprit:String}) AS said
       FROM (SELECT group_hash AS hash, title AS t, culprit AS c, error_type AS e, error_value AS v, timestamp AS at
         FROM errors WHERE project_id = {ofProject:UInt64} AND group_hash IN {hashes:Array(String)}
           AND NOT (${condition}))
       GROUP BY hash ORDER BY max(at) DESC`,
      { ...params, ofProject: projectId, hashes: chunk, oldTitle: issue.title, oldCulprit: issue.culprit },
      patient,
    );
    isSaid ||= found.some(({ said }) => said > 0);
    rows.push(...found);
  }
  await forgetExplanations(
    state,
    projectId,
    hashes.filter((hash) => !rows.some((row) => row.hash === hash)),
  );
  if (isSaid) return false;
  const [newest] = rows;
  const { type } = JSON.parse(issue.metadata) as { readonly type?: string };
  const metadata = newest
    ? { ...(newest.type !== '' && { type: newest.type, value: newest.value }) }
    : { ...(type !== undefined && { type }) };
  await state.db
    .updateTable('issue')
    .set({
      title: newest?.title ?? type ?? texts.instead,
      culprit: newest?.culprit ?? '',
      metadata: JSON.stringify(metadata),
    })
    .where('id', '=', issueId)
    .execute();
  return true;
}

/** Why an event has a hash is told with its own words: of a hash that no event has any more nothing is told. */
async function forgetExplanations({ db }: State, projectId: number, hashes: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(hashes))
    await db
      .updateTable('issue_hash')
      .set({ explanation: '[]' })
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .execute();
}

/** Two issues that turned out to be one. */
import type { State } from '../../../ports/state/state.ts';
import { mergeLimits } from '../limits/index.ts';
import { lockProject } from '../record.ts';
import { settling } from '../states/machine.ts';
import { toStatusColumns } from '../states/transition.ts';

/**
 * Puts the younger issue, by number, into the older one: hashes, activity and who waits for its digest. Its short id
 * leads there from now on. Gives the id of the one that is left; undefined where one is gone already.
 */
export async function joinIssues(
  state: State,
  projectId: number,
  pair: readonly [number, number],
  now: number,
): Promise<number | undefined> {
  return state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, now))) return undefined;
    const issues = await trx
      .selectFrom('issue')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', 'in', [...pair])
      .where('merged_into', 'is', null)
      .orderBy('number')
      .execute();
    const [into, from] = issues;
    if (!into || !from) return undefined;
    const of = { issue_id: into.id };
    await mergeLimits(trx, into.id, [from.id], now);
    await trx.updateTable('issue_hash').set(of).where('issue_id', '=', from.id).execute();
    await trx.updateTable('issue_words').set(of).where('issue_id', '=', from.id).execute();
    await trx.updateTable('twin').set(of).where('issue_id', '=', from.id).execute();
    // What was merged into it can still be taken back.
    await trx.updateTable('issue').set({ merged_into: into.id }).where('merged_into', '=', from.id).execute();
    await trx.updateTable('issue_merge').set({ parent_id: into.id }).where('parent_id', '=', from.id).execute();
    await trx.updateTable('issue_alias').set(of).where('issue_id', '=', from.id).execute();
    await trx
      .updateTable('digest_watch')
      .set({ found_issue_id: into.id })
      .where('found_issue_id', '=', from.id)
      .execute();
    await trx
      .updateTable('issue_activity')
      .set(of)
      .where('issue_id', '=', from.id)
      .where('type', '!=', 'first_seen')
      .execute();
    const earlier = from.first_seen < into.first_seen ? from : into;
    const later = from.last_seen > into.last_seen ? from : into;
    // What is resolved may not swallow what goes on unseen.
    const reopened = into.status === 'resolved' && from.status === 'unresolved';
    await trx
      .updateTable('issue')
      .set({
        first_seen: earlier.first_seen,
        first_release: earlier.first_release,
        last_seen: later.last_seen,
        last_release: later.last_release,
        ...(reopened ? toStatusColumns('ongoing', now) : settling(into, earlier.first_seen)),
      })
      .where('id', '=', into.id)
      .execute();
    await trx.deleteFrom('issue').where('id', '=', from.id).execute();
    await trx
      .insertInto('issue_alias')
      .values({ project_id: projectId, number: from.number, former_id: from.id, issue_id: into.id })
      .execute();
    await trx
      .insertInto('issue_activity')
      .values({
        issue_id: into.id,
        type: 'joined',
        user_id: null,
        data: JSON.stringify({ number: from.number, why: 'symbolicated' }),
        created_at: now,
      })
      .execute();
    return into.id;
  });
}

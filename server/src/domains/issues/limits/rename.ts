/** Users that wait to be counted, under another name: for people who are erased. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';

/** `users`: as rows have them, or in lower case. Resolves to how many texts had any of them. */
export async function renameWaitingUsers(
  state: State,
  projectIds: readonly number[],
  users: readonly string[],
  instead: string,
): Promise<number> {
  if (users.length === 0) return 0;
  const sought = new Set(users);
  const rename = (text: string): string =>
    JSON.stringify(
      JSON.parse(text, (_, value: unknown) =>
        typeof value === 'string' && (sought.has(value) || sought.has(value.toLowerCase())) ? instead : value,
      ),
    );
  let count = 0;
  for (const chunk of chunksOf(projectIds, 500)) {
    const ids = new Set<number>();
    for (const table of ['issue_limit', 'issue_limit_batch'] as const) {
      const rows = await state.db
        .selectFrom(table)
        .select('project_id')
        .distinct()
        .where('project_id', 'in', chunk)
        .execute();
      for (const { project_id: id } of rows) ids.add(id);
    }
    for (const id of ids) count += await state.transaction((trx) => renameIn(trx, id, rename));
  }
  return count;
}

/** Under the lock that batches take: none writes over it what it read before. */
async function renameIn(trx: StateTransaction, projectId: number, rename: (text: string) => string): Promise<number> {
  await trx
    .updateTable('project')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', projectId)
    .execute();
  let count = 0;
  const limits = await trx
    .selectFrom('issue_limit')
    .select(['issue_id', 'waiting'])
    .where('project_id', '=', projectId)
    .execute();
  for (const { issue_id: id, waiting } of limits) {
    const text = rename(waiting);
    if (text === waiting) continue;
    await trx.updateTable('issue_limit').set({ waiting: text }).where('issue_id', '=', id).execute();
    count++;
  }
  const batches = await trx
    .selectFrom('issue_limit_batch')
    .select(['id', 'decided'])
    .where('project_id', '=', projectId)
    .execute();
  for (const { id, decided } of batches) {
    const text = rename(decided);
    if (text === decided) continue;
    await trx.updateTable('issue_limit_batch').set({ decided: text }).where('id', '=', id).execute();
    count++;
  }
  return count;
}

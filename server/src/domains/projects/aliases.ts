/**
 * Ids that a project had in another tracker, so that in its DSNs only the host changes. The key decides whose an event is:
 * two projects may have had the same id elsewhere, and one may have had an id that here is another's.
 */
import { CodedError } from '../../base/errors.ts';
import { limits, taken } from '../../base/texts/things.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { alias as schema, checked } from './input.ts';

const maxAliases = 50;

/** The oldest first. */
export async function listAliases(
  { db }: { db: State['db'] | StateTransaction },
  projectId: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('project_alias')
    .select('alias')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.alias);
}

/** Throws INPUT_INVALID, and SLUG_TAKEN where it is the project's already. */
export async function addAlias(state: State, projectId: number, input: string): Promise<string> {
  const alias = checked(schema, input);
  return state.transaction(async (trx) => {
    const known = await listAliases({ db: trx }, projectId);
    if (known.includes(alias) || Number(alias) === projectId) throw new CodedError('SLUG_TAKEN', [taken.id(alias)]);
    if (known.length >= maxAliases) throw new CodedError('INPUT_INVALID', [limits.aliases(maxAliases)]);
    await trx.insertInto('project_alias').values({ project_id: projectId, alias, created_at: Date.now() }).execute();
    return alias;
  });
}

/** False when the project has none such. */
export async function deleteAlias(state: State, projectId: number, alias: string): Promise<boolean> {
  const deleted = await state.db
    .deleteFrom('project_alias')
    .where('project_id', '=', projectId)
    .where('alias', '=', alias)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

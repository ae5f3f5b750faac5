/** Queries and commands for code mappings. */
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { CodeMappingTable } from '../../ports/state/release-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { taken, things, limits } from '../../base/texts/things.ts';
import { listRepositories } from './repositories.ts';
import type { CodeMapping, Repository } from './types.ts';

const maxOfProject = 200;

/** Of the given projects; the longest stack root first, as they are tried. */
export async function listCodeMappings(
  state: State,
  organizationId: string,
  projectIds: readonly number[],
): Promise<CodeMapping[]> {
  if (!projectIds.length) return [];
  const rows = await state.db.selectFrom('code_mapping').selectAll().where('project_id', 'in', projectIds).execute();
  if (!rows.length) return [];
  const repositories = new Map((await listRepositories(state, organizationId)).map((one) => [one.id, one]));
  return rows
    .flatMap((row) => {
      const repository = repositories.get(row.repository_id);
      return repository ? [toMapping(row, repository)] : [];
    })
    .toSorted((a, b) => b.stackRoot.length - a.stackRoot.length || a.id - b.id);
}

const toMapping = (row: Selectable<CodeMappingTable>, repository: Repository): CodeMapping => ({
  id: row.id,
  projectId: row.project_id,
  repository,
  stackRoot: row.stack_root,
  sourceRoot: row.source_root,
  branch: row.branch,
});

export interface CodeMappingInput {
  readonly repository: Repository;
  readonly stackRoot: string;
  readonly sourceRoot: string;
  readonly branch: string;
}

/** Throws `SLUG_TAKEN` where the project has one for that root. */
export async function createCodeMapping(
  state: State,
  projectId: number,
  input: CodeMappingInput,
  now: number,
): Promise<CodeMapping> {
  const { repository, stackRoot, sourceRoot, branch } = input;
  return state.transaction(async (trx) => {
    const { n } = await trx
      .selectFrom('code_mapping')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    if (Number(n) >= maxOfProject) {
      throw new CodedError('INPUT_INVALID', [limits.codeMappings(maxOfProject)]);
    }
    await checkFree(trx, projectId, stackRoot, 0);
    const row = await trx
      .insertInto('code_mapping')
      .values({
        project_id: projectId,
        repository_id: repository.id,
        stack_root: stackRoot,
        source_root: sourceRoot,
        branch,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toMapping(row, repository);
  });
}

export async function updateCodeMapping(state: State, id: number, input: CodeMappingInput): Promise<CodeMapping> {
  const { repository, stackRoot, sourceRoot, branch } = input;
  return state.transaction(async (trx) => {
    const row = await trx
      .updateTable('code_mapping')
      .set({ repository_id: repository.id, source_root: sourceRoot, branch })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new CodedError('NOT_FOUND', [things.codeMapping(id)]);
    await checkFree(trx, row.project_id, stackRoot, id);
    await trx.updateTable('code_mapping').set({ stack_root: stackRoot }).where('id', '=', id).execute();
    return toMapping({ ...row, stack_root: stackRoot }, repository);
  });
}

async function checkFree(trx: StateTransaction, projectId: number, stackRoot: string, own: number): Promise<void> {
  const other = await trx
    .selectFrom('code_mapping')
    .select('id')
    .where('project_id', '=', projectId)
    .where('stack_root', '=', stackRoot)
    .where('id', '!=', own)
    .executeTakeFirst();
  if (other) throw new CodedError('SLUG_TAKEN', [taken.mapping(stackRoot)]);
}

export async function deleteCodeMapping(state: State, id: number): Promise<void> {
  await state.db.deleteFrom('code_mapping').where('id', '=', id).execute();
}

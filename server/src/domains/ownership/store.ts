/** Rules of ownership of projects, as they are kept. */
import { CodedError } from '../../base/errors.ts';
import type { RuleProblem } from '../../process/steps/group/rules/problem.ts';
import { RulesError } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { AutoAssignment } from '../../ports/state/team-tables.ts';
import { ownershipProblems } from '../../base/texts/rules.ts';
import { limits } from '../../base/texts/things.ts';
import { codeownersLimits, parseCodeowners, type ParsedCodeowners } from './codeowners.ts';
import type { CodeownersFile, RuleSet } from './evaluate.ts';
import type { Owners } from './people.ts';
import { parseOwnershipRules } from './rules.ts';

export interface Codeowners extends CodeownersFile {
  readonly raw: string;
  readonly repositoryName: string | null;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Ownership {
  readonly raw: string;
  readonly autoAssignment: AutoAssignment;
  /** ms since the epoch; null where nobody said anything yet. */
  readonly updatedAt: number | null;
  readonly codeowners: readonly Codeowners[];
}

/** Of a project that says nothing, issues go to their owners: there are none. */
export async function getOwnership(state: State, projectId: number): Promise<Ownership> {
  const row = await state.db.selectFrom('ownership').selectAll().where('project_id', '=', projectId).executeTakeFirst();
  const files = await state.db
    .selectFrom('codeowners')
    .leftJoin('repository', 'repository.id', 'codeowners.repository_id')
    .selectAll('codeowners')
    .select('repository.name as repositoryName')
    .where('project_id', '=', projectId)
    .orderBy('codeowners.id')
    .execute();
  return {
    raw: row?.raw ?? '',
    autoAssignment: row?.auto_assignment ?? 'owners',
    updatedAt: row ? Number(row.updated_at) : null,
    codeowners: files.map((file) => ({
      id: file.id,
      repositoryId: file.repository_id,
      repositoryName: file.repositoryName,
      raw: file.raw,
      parsed: parsedOnce(file.id, Number(file.updated_at), file.raw),
      names: new Map(Object.entries(JSON.parse(file.names) as Record<string, string>)),
      createdAt: Number(file.created_at),
      updatedAt: Number(file.updated_at),
    })),
  };
}

/** A file of a megabyte takes a while to read, and is asked about with every new issue. */
const read = new Map<number, { readonly stamp: string; readonly parsed: ParsedCodeowners }>();
const maxRead = 20;

function parsedOnce(id: number, updatedAt: number, raw: string): ParsedCodeowners {
  const stamp = `${updatedAt}:${raw.length}`;
  const known = read.get(id);
  if (known?.stamp === stamp) return known.parsed;
  if (read.size >= maxRead) read.clear();
  const parsed = parseCodeowners(raw);
  read.set(id, { stamp, parsed });
  return parsed;
}

export const ruleSetOf = ({ raw, codeowners }: Pick<Ownership, 'raw' | 'codeowners'>): RuleSet => ({
  rules: parseOwnershipRules(raw).rules,
  codeowners,
});

/** Lines that cannot be read, and owners that nobody here is. */
export function problemsOf(raw: string, owners: Owners): RuleProblem[] {
  const { rules, problems } = parseOwnershipRules(raw);
  const unknown = rules.flatMap(({ line, owners: written }) =>
    written
      .filter(({ name }) => !owners.named(name))
      .map(({ name, column, endColumn }) => ({
        line,
        column,
        endColumn,
        message: name.startsWith('#') ? ownershipProblems.unknownTeam(name) : ownershipProblems.unknownPerson(name),
      })),
  );
  return [...problems, ...unknown].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** What is undefined stays. Throws a `RulesError` for rules that cannot be read or name nobody. */
export async function saveOwnership(
  state: State,
  projectId: number,
  { raw, autoAssignment }: { readonly raw?: string | undefined; readonly autoAssignment?: AutoAssignment | undefined },
  owners: Owners,
  now: number,
): Promise<void> {
  const problems = raw === undefined ? [] : problemsOf(raw, owners);
  if (problems.length) throw new RulesError(problems.map((problem) => ({ field: 'raw', ...problem })));
  await state.db
    .insertInto('ownership')
    .values({
      project_id: projectId,
      raw: raw ?? '',
      auto_assignment: autoAssignment ?? 'owners',
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({
        ...(raw !== undefined && { raw }),
        ...(autoAssignment !== undefined && { auto_assignment: autoAssignment }),
        updated_at: now,
      }),
    )
    .execute();
}

const maxFiles = 5;

export interface CodeownersInput {
  readonly raw?: string | undefined;
  /** Null: of any repository. */
  readonly repositoryId?: number | null | undefined;
  readonly names?: Readonly<Record<string, string>> | undefined;
}

const columnsOf = ({ raw, repositoryId, names }: CodeownersInput) => ({
  ...(raw !== undefined && { raw: raw.slice(0, codeownersLimits.characters) }),
  ...(repositoryId !== undefined && { repository_id: repositoryId }),
  ...(names && { names: JSON.stringify(names) }),
});

/** Returns its id. */
export async function addCodeowners(
  state: State,
  projectId: number,
  input: CodeownersInput,
  now: number,
): Promise<number> {
  return state.transaction(async (trx) => {
    const { n } = await trx
      .selectFrom('codeowners')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    if (Number(n) >= maxFiles) {
      throw new CodedError('INPUT_INVALID', [limits.codeowners(maxFiles)]);
    }
    const { id } = await trx
      .insertInto('codeowners')
      .values({
        project_id: projectId,
        repository_id: null,
        raw: '',
        names: '{}',
        ...columnsOf(input),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** What is undefined stays. */
export async function updateCodeowners(state: State, id: number, input: CodeownersInput, now: number): Promise<void> {
  await state.db
    .updateTable('codeowners')
    .set({ ...columnsOf(input), updated_at: now })
    .where('id', '=', id)
    .execute();
}

export async function deleteCodeowners(state: State, id: number): Promise<void> {
  await state.db.deleteFrom('codeowners').where('id', '=', id).execute();
}

/** Names of a file that nobody here has, each once. */
export function unknownNames({ parsed, names }: CodeownersFile, owners: Owners): string[] {
  const all = new Set(parsed.sections.flatMap((rules) => rules.flatMap((rule) => rule.owners)));
  return [...all].filter((name) => !owners.ofCodeowners(name, names));
}

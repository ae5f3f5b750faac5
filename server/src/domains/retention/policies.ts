/** Ages of one's own: named ones of the installation, and which of them projects chose for a class. */
import { CodedError } from '../../base/errors.ts';
import { type RetentionClass, retentionClasses } from '../../base/retention.ts';
import { retentionTexts } from '../../base/texts/retention.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';

export interface NewPolicy {
  /** Unique, whatever its case. */
  readonly name: string;
  readonly days: number;
}

interface Policy extends NewPolicy {
  readonly id: number;
}

export interface Choice {
  readonly projectId: number;
  readonly name: RetentionClass;
  readonly policyId: number;
}

interface Within {
  readonly db: State['db'] | StateTransaction;
}

/** In the order in which they were made. */
export async function readPolicies({ db }: Within): Promise<Policy[]> {
  const rows = await db.selectFrom('retention_policy').selectAll().orderBy('id').execute();
  return rows.map(({ id, name, days }) => ({ id: Number(id), name, days: Number(days) }));
}

/** Of all projects, or of one. */
export async function readChoices({ db }: Within, projectId?: number): Promise<Choice[]> {
  const rows = await db
    .selectFrom('project_retention')
    .selectAll()
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .execute();
  return rows.map((row) => ({
    projectId: Number(row.project_id),
    name: row.class,
    policyId: Number(row.policy_id),
  }));
}

/** As it is, or once it is saved: null then where it is new. */
type Saved = NewPolicy & { readonly id: number | null };

const keyOf = (name: string): string => name.toLowerCase();

/**
 * What the policies are when all of `wanted` is saved: those of a name that is there keep their id, new ones have none.
 * Throws `CodedError('INPUT_INVALID')` where a name comes twice, or a policy that projects have is missing.
 */
export function changedPolicies(
  there: readonly Saved[],
  choices: readonly Choice[],
  wanted: readonly NewPolicy[],
): Saved[] {
  const byName = new Map(wanted.map((policy) => [keyOf(policy.name), policy]));
  const twice = wanted.find((policy) => byName.get(keyOf(policy.name)) !== policy);
  if (twice) throw new CodedError('INPUT_INVALID', [retentionTexts.policyTwice(twice.name)]);
  for (const { id, name } of there) {
    if (byName.has(keyOf(name))) continue;
    const projects = new Set(choices.filter(({ policyId }) => policyId === id).map(({ projectId }) => projectId));
    if (projects.size > 0) throw new CodedError('INPUT_INVALID', [retentionTexts.policyUsed(name, projects.size)]);
  }
  const idOf = new Map(there.map(({ id, name }) => [keyOf(name), id]));
  return wanted.map((policy) => ({ ...policy, id: idOf.get(keyOf(policy.name)) ?? null }));
}

/** Throws as `changedPolicies` does. */
export async function savePolicies(within: Within, wanted: readonly NewPolicy[]): Promise<void> {
  const { db } = within;
  const there = await readPolicies(within);
  const policies = changedPolicies(there, await readChoices(within), wanted);
  const kept = new Set(policies.map(({ id }) => id));
  for (const { id } of there) if (!kept.has(id)) await db.deleteFrom('retention_policy').where('id', '=', id).execute();
  for (const { id, name, days } of policies) {
    if (id === null) await db.insertInto('retention_policy').values({ name, days }).execute();
    else await db.updateTable('retention_policy').set({ name, days }).where('id', '=', id).execute();
  }
}

/** By class the name of a policy; null for the age of the class. Classes that are left out stay. */
export type Choosing = Partial<Readonly<Record<RetentionClass, string | null>>>;

/** What the project has chosen once that is saved. Throws `CodedError('INPUT_INVALID')` where there is no such policy. */
export function chosenBy(
  policies: readonly Saved[],
  choices: readonly Choice[],
  projectId: number,
  choosing: Choosing,
): Choice[] {
  const chosen = choices.filter((choice) => choice.projectId === projectId && choosing[choice.name] === undefined);
  for (const name of retentionClasses) {
    const wanted = choosing[name];
    if (wanted === undefined || wanted === null) continue;
    const policy = policies.find((one) => keyOf(one.name) === keyOf(wanted));
    if (!policy || policy.id === null) throw new CodedError('INPUT_INVALID', [retentionTexts.noPolicy(wanted)]);
    chosen.push({ projectId, name, policyId: policy.id });
  }
  return chosen;
}

/** In a transaction. */
export async function saveChoices({ db }: Within, projectId: number, choices: readonly Choice[]): Promise<void> {
  await db.deleteFrom('project_retention').where('project_id', '=', projectId).execute();
  const rows = choices.map(({ name, policyId }) => ({ project_id: projectId, class: name, policy_id: policyId }));
  if (rows.length > 0) await db.insertInto('project_retention').values(rows).execute();
}

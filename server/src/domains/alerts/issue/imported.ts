/** What an import brought is no news: of a project that got some, only events after the newest of them are counted. */
import { countMatching, type MatchCounts, type MatchQuestion } from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import type { AlertStores } from '../stores.ts';
import type { IssueRule } from '../types.ts';

/** By project, ms since the epoch; only those that got any. */
export type ImportedUntil = ReadonlyMap<number, number>;

export const importedUntilOf = (projects: Iterable<Pick<Project, 'id' | 'importedUntil'>>): ImportedUntil =>
  new Map([...projects].flatMap(({ id, importedUntil }) => (importedUntil === null ? [] : [[id, importedUntil]])));

/** Of the projects that rules watch. */
export const importedInto = (
  rules: readonly IssueRule[],
  projectsOf: (rule: IssueRule) => readonly Project[],
): ImportedUntil => importedUntilOf(rules.flatMap((rule) => projectsOf(rule)));

/** Parts of a question, each about projects that are counted from one moment on. */
export function partsOf(question: MatchQuestion, importedUntil: ImportedUntil): readonly MatchQuestion[] {
  const sinceOf = (projectId: number): number => Math.max(question.sinceMs, (importedUntil.get(projectId) ?? -1) + 1);
  if (question.issues.every(({ projectId }) => sinceOf(projectId) === question.sinceMs)) return [question];
  const parts = Map.groupBy(question.issues, ({ projectId }) => sinceOf(projectId));
  return [...parts].map(([sinceMs, issues]) => ({ ...question, issues, sinceMs }));
}

/** `countMatching` without what imports brought. */
export async function countNews(
  stores: AlertStores,
  questions: readonly MatchQuestion[],
  importedUntil: ImportedUntil,
  options: Parameters<typeof countMatching>[2],
): Promise<ReadonlyMap<number, MatchCounts>[]> {
  if (importedUntil.size === 0) return countMatching(stores, questions, options);
  const asked = questions.flatMap((question, index) =>
    partsOf(question, importedUntil).map((part) => ({ part, index })),
  );
  const answers = await countMatching(
    stores,
    asked.map(({ part }) => part),
    options,
  );
  const merged = questions.map(() => new Map<number, MatchCounts>());
  for (const [at, { index }] of asked.entries()) {
    for (const [id, counts] of answers[at] ?? []) merged[index]?.set(id, counts);
  }
  return merged;
}

/** Saved questions as the API shows them. */
import type { z } from 'zod';
import type { SavedSearch } from '../../domains/saved-searches/index.ts';
import { ExploreQuestion } from './contract.ts';
import type { getSavedQuestion } from './saved-contract.ts';

export function toSavedQuestion(
  { id, name, visibility, query, sort, state, owner, createdAt }: SavedSearch,
  { userId, mayChange }: { readonly userId: string; readonly mayChange: boolean },
): z.output<typeof getSavedQuestion.response> {
  const kept = ExploreQuestion.safeParse(state);
  return {
    id: String(id),
    name,
    visibility,
    // What was saved by its text alone is asked of errors.
    question: kept.success ? kept.data : ExploreQuestion.parse({ dataset: 'errors', query, sort: sort ? [sort] : [] }),
    createdBy: owner,
    mine: owner.id === userId,
    canChange: mayChange,
    dateCreated: new Date(createdAt).toISOString(),
  };
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as m from '../../messages/issues.ts';
import { undo } from '../../messages/triage.ts';
import {
  createSearch,
  deleteSearch,
  type NewSearch,
  type SavedSearch,
  updateSearch,
} from '../../features/search-box/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { toast } from '../../ui/toasts.ts';

/** Changes of saved searches; deleting offers to undo it. */
export function useSavedChanges() {
  const org = useOrg();
  const queries = useQueryClient();
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['search', org, 'saved'] });
  const failed = (error: Error): void => toast(m.searchFailed({ reason: error.message }), { kind: 'failed' });
  const create = useMutation({
    mutationFn: (search: NewSearch) => createSearch(org, search),
    onSuccess: ({ name }) => toast(m.searchSaved({ name })),
    onSettled: again,
  });
  const change = useMutation({
    mutationFn: ({ id, ...fields }: { readonly id: string } & Parameters<typeof updateSearch>[2]) =>
      updateSearch(org, id, fields),
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedSearch) => deleteSearch(org, id),
    onSuccess: (_nothing, { name, query, sort, type, visibility, state, isPinned }) =>
      toast(m.searchDeleted({ name }), {
        action: {
          label: undo,
          run: () => create.mutate({ name, query, sort, type, visibility, state, isPinned }, { onError: failed }),
        },
      }),
    onError: failed,
    onSettled: again,
  });
  return { create, change, remove, failed };
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/toasts.ts';
import { useOrg } from '../session/organization.ts';
import { createWatch, deleteWatch, type Watch } from './queries.ts';

export interface WatchRequest {
  readonly digest: string;
  readonly host?: string | null;
  readonly project?: string | null;
}

/** Starts and ends watching a digest; ending offers a way back. */
export function useWatch(): { watch: (request: WatchRequest) => void; unwatch: (watch: Watch) => void; busy: boolean } {
  const org = useOrg();
  const queries = useQueryClient();
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['watches', org] }),
      queries.invalidateQueries({ queryKey: ['find', org] }),
    ]);
  const start = useMutation({
    mutationFn: (request: WatchRequest) => createWatch(org, request),
    onSuccess: (watch) => {
      if (watch.status === 'waiting') toast(`You will be told when ${watch.digest} arrives`);
    },
    onError: (error) => toast(`This could not be watched: ${error.message}`, { kind: 'failed' }),
    onSettled: refresh,
  });
  const end = useMutation({
    mutationFn: (watch: Watch) => deleteWatch(org, watch.id),
    onSuccess: (_, { digest, host, project }) =>
      toast(`No longer watching ${digest}`, {
        action: { label: 'Undo', run: () => start.mutate({ digest, host, project: project?.slug ?? null }) },
      }),
    onError: (error) => toast(`The watch could not be removed: ${error.message}`, { kind: 'failed' }),
    onSettled: refresh,
  });
  return { watch: start.mutate, unwatch: end.mutate, busy: start.isPending || end.isPending };
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as m from '../../messages/find.ts';
import { toast } from '../../ui/toasts.ts';
import { useOrg } from '../session/organization.ts';
import { createWatch, deleteWatch, type Watch } from './queries.ts';

export interface WatchRequest {
  readonly digest: string;
  readonly host?: string | null;
  readonly project?: string | null;
}

/** Starts and ends watching a digest; ending offers to undo it. */
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
      if (watch.status === 'waiting') toast(m.watchStarted({ digest: watch.digest }));
    },
    onError: (error) => toast(m.watchFailed({ reason: error.message }), { kind: 'failed' }),
    onSettled: refresh,
  });
  const end = useMutation({
    mutationFn: (watch: Watch) => deleteWatch(org, watch.id),
    onSuccess: (_, { digest, host, project }) =>
      toast(m.unwatched({ digest }), {
        action: { label: m.undo, run: () => start.mutate({ digest, host, project: project?.slug ?? null }) },
      }),
    onError: (error) => toast(m.unwatchFailed({ reason: error.message }), { kind: 'failed' }),
    onSettled: refresh,
  });
  return { watch: start.mutate, unwatch: end.mutate, busy: start.isPending || end.isPending };
}

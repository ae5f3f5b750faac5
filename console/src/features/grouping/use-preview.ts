import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { cancelPreview, getPreview, startPreview, type GroupingRules, type Preview } from './queries.ts';

const pollMs = 400;

export interface AskedPreview {
  readonly rules: GroupingRules;
  readonly period: string;
}

/** A preview that runs on the server. States: none → starting → running → done or failed; a new one, and leaving, break it off. */
export function usePreview(org: string, project: string) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<(AskedPreview & { readonly id: string }) | undefined>();
  const key = (id: string | undefined) => ['previews', org, project, id];
  const start = useMutation({
    mutationFn: ({ rules, period }: AskedPreview) => startPreview(org, project, rules, period),
    onMutate: () => setAsked(undefined),
    onSuccess: (preview, question) => {
      queries.setQueryData(key(preview.id), preview);
      setAsked({ ...question, id: preview.id });
    },
  });
  const preview = useQuery({
    queryKey: key(asked?.id),
    queryFn: ({ signal }) => getPreview(org, project, asked?.id ?? '', signal),
    enabled: asked !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
    staleTime: 0,
    gcTime: 0,
  });

  const id = asked?.id;
  useEffect(() => {
    if (id === undefined) return;
    return () => {
      const last = queries.getQueryData<Preview>(['previews', org, project, id]);
      if (last?.status === 'running') void cancelPreview(org, project, id).catch(() => undefined);
    };
  }, [id, org, project, queries]);

  return {
    asked,
    start: start.mutate,
    /** Forgets it; what runs is broken off. */
    stop: () => setAsked(undefined),
    preview: asked ? preview.data : undefined,
    running:
      start.isPending || (asked !== undefined && (preview.data?.status ?? 'running') === 'running' && !preview.isError),
    error: start.error ?? (asked ? preview.error : null),
  };
}

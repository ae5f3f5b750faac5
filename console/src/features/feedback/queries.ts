/** What users say of an application. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { offerUndo } from '../commands/undo.ts';
import * as m from '../../messages/feedback.ts';
import { toast } from '../../ui/toasts.ts';

export type Feedback = Schemas['Feedback'];
export type FeedbackDetail = Schemas['FeedbackDetail'];
export type FeedbackStatus = Feedback['status'];

export interface FeedbackSearch extends Filters {
  /** Open ones unless it says otherwise. */
  readonly status?: Exclude<FeedbackStatus, 'open'> | 'all' | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

export const feedbackListQuery = (org: string, search: FeedbackSearch) =>
  queryOptions({
    queryKey: ['feedback', org, 'list', search],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/feedback/', {
        params: {
          path: { org },
          query: {
            ...projectParameter(search),
            ...environmentParameter(search),
            ...rangeParameters(search),
            status: search.status ?? 'open',
            query: search.q ?? '',
            ...(search.cursor && { cursor: search.cursor }),
          },
        },
        signal,
      });
      return { ...data, ...parseLinkHeader(response.headers.get('link')) };
    },
    staleTime: dynamicStaleTimeMs,
    placeholderData: (before) => before,
  });

export const feedbackQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['feedback', org, 'one', id],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/feedback/{feedback}/', { params: { path: { org, feedback: id } }, signal }),
  });

/** Of an issue, the newest first. */
export const feedbackOfIssueQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: ['feedback', org, 'issue', issue],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/feedback/', {
        params: { path: { org }, query: { issue, status: 'all', limit: 10 } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

const failed = (error: unknown): void =>
  toast(m.statusFailed({ message: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });

/** Sets the status of some, with a way back. */
export function useFeedbackStatus(org: string) {
  const queries = useQueryClient();
  const put = (ids: readonly string[], status: FeedbackStatus) =>
    api.put('/api/0/organizations/{org}/feedback/', { params: { path: { org } }, body: { ids: [...ids], status } });
  const renew = (): Promise<void> => queries.invalidateQueries({ queryKey: ['feedback', org] });
  return useMutation({
    mutationFn: ({ ids, status }: { readonly ids: readonly string[]; readonly status: FeedbackStatus }) =>
      put(ids, status),
    onSuccess: (changed, { status }) => {
      void renew();
      if (!changed.length) return;
      const undo = async (): Promise<void> => {
        try {
          for (const before of new Set(changed.map((each) => each.before)))
            await put(
              changed.filter((each) => each.before === before).map(({ id }) => id),
              before,
            );
        } catch (error) {
          failed(error);
        }
        await renew();
      };
      offerUndo(m.done[status]({ count: changed.length }), () => void undo());
    },
    onError: failed,
  });
}

export function useDeleteFeedback(org: string, onGone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.delete('/api/0/organizations/{org}/feedback/{feedback}/', { params: { path: { org, feedback: id } } }),
    onSuccess: () => {
      toast(m.deleted);
      onGone();
      void queries.invalidateQueries({ queryKey: ['feedback', org] });
    },
    onError: (error) => toast(m.deleteFailed({ message: error.message }), { kind: 'failed' }),
  });
}

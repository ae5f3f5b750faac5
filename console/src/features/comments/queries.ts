/** Comments of issues. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type IssueComment = Schemas['IssueComment'];

/** `issue` is the id. */
export const commentsQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'comments'],
    queryFn: ({ signal }) => api.get('/api/0/issues/{issue}/comments/', { params: { path: { issue } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const addComment = (issue: string, text: string): Promise<IssueComment> =>
  api.post('/api/0/issues/{issue}/comments/', { params: { path: { issue } }, body: { text } });

export const editComment = (issue: string, id: string, text: string): Promise<IssueComment> =>
  api.put('/api/0/issues/{issue}/comments/{id}/', { params: { path: { issue, id } }, body: { text } });

export const deleteComment = (issue: string, id: string): Promise<unknown> =>
  api.delete('/api/0/issues/{issue}/comments/{id}/', { params: { path: { issue, id } } });

export const restoreComment = (issue: string, id: string): Promise<IssueComment> =>
  api.post('/api/0/issues/{issue}/comments/{id}/restore/', { params: { path: { issue, id } } });

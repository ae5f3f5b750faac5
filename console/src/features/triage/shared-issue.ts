/** What anybody may read of an issue who has its secret link. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type SharedIssueAnswer = Schemas['SharedIssue'];

export const sharedIssueQuery = (shareId: string) =>
  queryOptions({
    queryKey: ['shared-issue', shareId],
    queryFn: ({ signal }) => api.get('/api/0/shared/issues/{shareId}/', { params: { path: { shareId } }, signal }),
  });

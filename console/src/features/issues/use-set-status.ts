import { useMutation, useQueryClient } from '@tanstack/react-query';
import { plural } from '../../ui/numbers.ts';
import { toast } from '../../ui/toasts.ts';
import { useOrg } from '../session/organization.ts';
import { setIssueStatus, type Issue, type IssueDetail, type IssueListPage, type IssueStatus } from './queries.ts';

export const statusWords: Readonly<
  Record<IssueStatus, { readonly state: string; readonly action: string; readonly done: string }>
> = {
  unresolved: { state: 'Unresolved', action: 'Reopen', done: 'reopened' },
  resolved: { state: 'Resolved', action: 'Resolve', done: 'resolved' },
  ignored: { state: 'Archived', action: 'Archive', done: 'archived' },
};

interface Change {
  readonly issues: readonly Pick<Issue, 'id' | 'shortId' | 'status'>[];
  readonly status: IssueStatus;
}

/** Changes the status at once on the screen, then on the server, and offers a way back instead of asking first. */
export function useSetStatus(): { setStatus: (change: Change) => void; busy: boolean } {
  const org = useOrg();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ issues, status }: Change) =>
      setIssueStatus(
        org,
        issues.map((issue) => issue.id),
        status,
      ),
    onMutate: ({ issues, status }) => {
      const ids = new Set(issues.map((issue) => issue.id));
      const apply = <T extends { id: string; status: IssueStatus }>(issue: T): T =>
        ids.has(issue.id) ? { ...issue, status } : issue;
      queries.setQueriesData<IssueListPage>(
        { queryKey: ['issues', org, 'list'] },
        (page) => page && { ...page, issues: page.issues.map(apply) },
      );
      for (const issue of issues) {
        queries.setQueriesData<IssueDetail>(
          { queryKey: ['issues', org, 'one', issue.shortId, 'detail'] },
          (detail) => detail && apply(detail),
        );
      }
    },
    onSuccess: (_changed, { issues, status }) => {
      const what = issues.length === 1 ? (issues[0]?.shortId ?? '') : plural(issues.length, 'issue');
      toast(`${what} ${statusWords[status].done}`, { action: { label: 'Undo', run: () => undo({ issues, status }) } });
    },
    onError: (error, { issues, status }) => {
      const what = issues.length === 1 ? (issues[0]?.shortId ?? '') : plural(issues.length, 'issue');
      toast(`${what} could not be ${statusWords[status].done}: ${error.message}`, { kind: 'failed' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['issues', org] }),
  });

  /** Each issue goes back to the status it had, whatever that was. */
  async function undo({ issues }: Change): Promise<void> {
    try {
      for (const status of ['unresolved', 'resolved', 'ignored'] as const) {
        const back = issues.filter((issue) => issue.status === status).map((issue) => issue.id);
        if (back.length > 0) await setIssueStatus(org, back, status);
      }
      toast('Undone');
    } catch (error) {
      toast(`This could not be undone: ${error instanceof Error ? error.message : String(error)}`, { kind: 'failed' });
    }
    await queries.invalidateQueries({ queryKey: ['issues', org] });
  }

  return { setStatus: mutation.mutate, busy: mutation.isPending };
}

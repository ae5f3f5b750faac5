import * as m from '../../messages/issues.ts';
import { ApiError } from '../../api/errors.ts';
import { lazily } from '../../ui/lazily.tsx';
import { QueryView } from '../../ui/QueryView.tsx';

import { IssueRow } from './IssueRow.tsx';
import styles from './IssuesPage.module.css';
import type { IssueList } from './use-issue-list.ts';

const EmptyList = lazily(async () => (await import('./EmptyList.tsx')).EmptyList);
const RefusedList = lazily(async () => (await import('./EmptyList.tsx')).RefusedList);
export const PeekPanel = lazily(async () => (await import('./PeekPanel.tsx')).PeekPanel);

/** The rows, or why there are none, and the preview next to them. */
export function ShownIssues({ all }: { readonly all: IssueList }) {
  const { search, list, listed, issues, peeked, projects } = all;
  if (list.error instanceof ApiError && list.error.code === 'QUERY_INVALID') return <RefusedList />;
  return (
    <QueryView query={list} loading={m.loading} failed={m.failed} rows={12} height={50} cancel={all.cancel}>
      {() =>
        issues.length === 0 ? (
          <EmptyList search={search} />
        ) : (
          <div className={styles.split} data-peek={peeked ? '' : undefined}>
            <ul ref={all.rowList} aria-busy={list.isFetching} aria-label={m.title}>
              {listed.map((issue, index) => (
                <IssueRow
                  key={issue.id}
                  issue={issue}
                  position={index + 1}
                  size={listed.length}
                  mayChange={all.mayChange}
                  selected={all.state.whole || all.state.selected.has(issue.id)}
                  leaving={all.leaving.has(issue.id)}
                  peeked={issue === peeked}
                  actions={all.rowActions}
                  showProject={search.project === undefined && (projects?.length ?? 0) > 1}
                />
              ))}
            </ul>
            {peeked && (
              <div className={styles.peekSpace}>
                <PeekPanel
                  issue={peeked}
                  onAct={(action) => {
                    all.rows.focus(issues.indexOf(peeked));
                    all.act(action, [peeked]);
                  }}
                  onMenu={(kind, anchor) => all.openRowMenu(peeked, kind, anchor)}
                  onClose={all.peek.close}
                />
              </div>
            )}
          </div>
        )
      }
    </QueryView>
  );
}

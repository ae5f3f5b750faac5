import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/issues.ts';
import type { IssueListSearch } from '../../features/issues/list-question.ts';
import { savedSearchesQuery } from '../../features/search-box/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import styles from './IssuesPage.module.css';
import { builtInViews, isShown, type NamedQuery, searchOf, statusTabs, withoutStatus } from './views.ts';

/** A tab is the current one for all of its address, not for a part of it. */
const wholeAddress = { exact: true };

/** Which issues are shown: by status, by a built-in view, by a saved search that is pinned. */
export function ViewTabs({ search, children }: { readonly search: IssueListSearch; readonly children: ReactNode }) {
  const org = useOrg();
  const { data: saved = [] } = useQuery(savedSearchesQuery(org, 'issues'));
  const views = [...builtInViews, ...saved.filter(({ isPinned }) => isPinned)];
  const named = views.find((view) => isShown(view, search));
  const hasOwnStatus = withoutStatus(search.q) !== (search.q || undefined);
  const status = search.status ?? 'unresolved';
  return (
    <div className={styles.views}>
      <Tabs label={m.views}>
        {statusTabs.map(({ value, label }) => (
          <Link
            key={value}
            from="/issues"
            to="."
            search={(before) => ({
              ...before,
              // A view is left as a whole; a search is kept.
              q: named ? undefined : withoutStatus(before.q),
              sort: named ? undefined : before.sort,
              status: value === 'unresolved' ? undefined : value,
              cursor: undefined,
            })}
            activeOptions={wholeAddress}
            className={tabClass}
            aria-current={!named && !hasOwnStatus && status === value ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
        <span className={styles.between} aria-hidden="true" />
        {views.map((view) => (
          <ViewLink key={`${view.name} ${view.query}`} view={view} current={view === named} />
        ))}
        {children}
      </Tabs>
    </div>
  );
}

function ViewLink({ view, current }: { readonly view: NamedQuery; readonly current: boolean }) {
  return (
    <Link
      from="/issues"
      to="."
      search={(before) => ({ ...before, cursor: undefined, ...searchOf(view) })}
      activeOptions={wholeAddress}
      className={tabClass}
      aria-current={current ? 'page' : undefined}
      translate={builtInViews.includes(view) ? undefined : 'no'}
    >
      {view.name}
    </Link>
  );
}

import { chosenTime } from '../../messages/filters.ts';
import * as m from '../../messages/issues.ts';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { lazily } from '../../ui/lazily.tsx';
import { howMany } from './counts.ts';
import styles from './IssuesPage.module.css';
import type { IssueList } from './use-issue-list.ts';
import { ViewTabs } from './ViewTabs.tsx';

export const SelectionBar = lazily(async () => (await import('./SelectionBar.tsx')).SelectionBar);

/** Above the rows: which issues there are and what the columns are, or what can be done with the selected ones. */
export function ListHead({ all }: { readonly all: IssueList }) {
  const { search, list, chosen, issues, peeked } = all;
  return (
    <div className={styles.head}>
      {chosen.length > 0 ? (
        <SelectionBar
          chosen={chosen}
          whole={all.state.whole}
          select={all.select}
          shown={issues.length}
          matching={list.data?.next || list.data?.previous ? list.data.hits : 'all-here'}
          tab={search.status ?? 'unresolved'}
          onAct={all.act}
          onMenu={all.openMenu}
          onDelete={all.mayDelete ? all.askToDelete : undefined}
          onMerge={all.onMerge}
          onMerged={({ shortId }) => all.setMerged({ shortId, project: chosen[0]?.project.slug ?? '' })}
        />
      ) : (
        <>
          <ViewTabs search={search}>
            <output className={styles.hits}>{list.data && howMany(list.data)}</output>
          </ViewTabs>
          {!peeked && (
            <div className={styles.columns} aria-hidden="true">
              <span className={styles.trend} data-tip={m.trendTip}>
                {search.start ? chosenTime : rangeLabel(search)}
              </span>
              <span className={styles.count}>{m.columns.events}</span>
              <span className={styles.count}>{m.columns.users}</span>
              <span className={styles.when}>{m.columns.lastSeen}</span>
              <span className={styles.age}>{m.columns.firstSeen}</span>
              <span className={styles.priority}>{m.columns.priority}</span>
              <span className={styles.owner}>{m.columns.assigned}</span>
            </div>
          )}
        </>
      )}
    </div>
  );
}

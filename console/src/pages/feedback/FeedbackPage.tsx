import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import {
  type Feedback,
  feedbackListQuery,
  feedbackQuery,
  type FeedbackStatus,
  useFeedbackStatus,
} from '../../features/feedback/queries.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useLive } from '../../features/live/live.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/feedback-page.ts';
import { cx } from '../../ui/cx.ts';
import { DataList } from '../../ui/DataList.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { tabClass, TabCount, Tabs } from '../../ui/Tabs.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { SearchInput } from '../../ui/Toolbar.tsx';
import { FeedbackDetails } from './FeedbackDetails.tsx';
import styles from './FeedbackPage.module.css';
import { FeedbackRow } from './FeedbackRow.tsx';
import { NoFeedback } from './NoFeedback.tsx';

const route = getRouteApi('/shell/feedback');
const refreshMs = 30_000;
/** The first tab adds nothing to the address, and would be current on all of them. */
const exactly = { exact: true };
const tabs = Object.entries(m.tabs) as [FeedbackStatus, string][];

/** What users said, to be worked off: the list on the left, the one that is read on the right. */
export function FeedbackPage() {
  const org = useOrg();
  const may = useMay('event:write');
  const { id, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const asked = feedbackListQuery(org, search);
  const list = useQuery({ ...asked, refetchInterval: refreshMs });
  const { data: projects } = useQuery(projectsQuery(org));
  const rows = useRef<HTMLDivElement>(null);
  const setStatus = useFeedbackStatus(org);
  useRowKeys(rows);
  useTitle(list.data && list.data.counts.open > 0 && m.openCount({ count: list.data.counts.open }), m.title);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['feedback', org] });
  useCommand('list.refresh', refresh);
  useLive((message) => {
    if (message.type === 'reconnected') refresh();
  });

  const act = (to: 'resolved' | 'spam'): void => {
    if (id === undefined) return;
    const shown = list.data?.feedback ?? [];
    const at = shown.findIndex((each) => each.id === id);
    // What is read may be on no list: a link leads to it in any status.
    const now = queries.getQueryData(feedbackQuery(org, id).queryKey)?.status ?? shown[at]?.status;
    const next = shown[at + 1] ?? shown[at - 1];
    setStatus.mutate({ ids: [id], status: now === to ? 'open' : to });
    // The next one is read: who works a list off continues.
    void navigate({ search: (before) => ({ ...before, id: next?.id }), replace: true });
  };
  const close = (): void => void navigate({ search: (before) => ({ ...before, id: undefined }) });
  useCommand('list.clear', close, id !== undefined);
  useCommand('issue.resolve', () => act('resolved'), may && id !== undefined);
  useCommand('issue.archive', () => act('spam'), may && id !== undefined);

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar fallbackRange="" />
      </PageBar>
      <div className={styles.head}>
        <StatusTabs current={search.status ?? 'open'} counts={list.data?.counts} />
        <Search
          q={search.q}
          onSearch={(q) =>
            void navigate({ search: (before) => ({ ...before, q: q || undefined, cursor: undefined, id: undefined }) })
          }
        />
      </div>
      <QueryView
        query={list}
        loading={m.loading}
        failed={m.failed}
        rows={8}
        height={64}
        cancel={() => void queries.cancelQueries(asked)}
        isEmpty={({ feedback }) => feedback.length === 0 && id === undefined}
        empty={<NoFeedback search={search} />}
      >
        {({ feedback }) => (
          <div className={cx(styles.columns, id !== undefined && styles.reading)}>
            <div ref={rows} className={styles.all}>
              <FeedbackList
                feedback={feedback}
                current={id}
                showProject={search.project === undefined && (projects?.length ?? 0) > 1}
              />
            </div>
            <div className={styles.one}>
              {id === undefined ? (
                <Nothing>{m.choose}</Nothing>
              ) : (
                <FeedbackDetails key={id} id={id} onAct={act} onClose={close} />
              )}
            </div>
          </div>
        )}
      </QueryView>
      <PageLinks list="/feedback" cursors={list.data} cursor={search.cursor} />
    </>
  );
}

function StatusTabs({
  current,
  counts,
}: {
  readonly current: FeedbackStatus | 'all';
  readonly counts: Readonly<Record<FeedbackStatus, number>> | undefined;
}) {
  return (
    <Tabs label={m.status}>
      {tabs.map(([value, label]) => (
        <Link
          key={value}
          from="/feedback"
          to="."
          search={(before) => ({
            ...before,
            status: value === 'open' ? undefined : value,
            cursor: undefined,
            id: undefined,
          })}
          className={tabClass}
          activeOptions={exactly}
          aria-current={current === value ? 'page' : undefined}
        >
          {label}
          {counts && <TabCount>{exactNumber(counts[value])}</TabCount>}
        </Link>
      ))}
    </Tabs>
  );
}

function Search({ q = '', onSearch }: { readonly q: string | undefined; readonly onSearch: (q: string) => void }) {
  const box = useRef<HTMLElement>(null);
  useCommand('list.search', () => box.current?.querySelector('input')?.focus());
  useEffect(() => {
    const input = box.current?.querySelector('input');
    if (input) input.value = q;
  }, [q]);
  return (
    <search ref={box} className={styles.find}>
      <SearchInput
        label={m.search}
        placeholder={m.searchHint}
        defaultValue={q}
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSearch(event.currentTarget.value.trim());
        }}
      />
    </search>
  );
}

function FeedbackList({
  feedback,
  current,
  showProject,
}: {
  readonly feedback: readonly Feedback[];
  readonly current: string | undefined;
  readonly showProject: boolean;
}) {
  return (
    <DataList label={m.list} open>
      {feedback.map((each) => (
        <FeedbackRow key={each.id} feedback={each} current={each.id === current} showProject={showProject} />
      ))}
    </DataList>
  );
}

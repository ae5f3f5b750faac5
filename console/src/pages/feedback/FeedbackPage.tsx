import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SearchIcon } from '../../ui/icons.ts';
import { useEffect, useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { feedbackListQuery, feedbackQuery, useFeedbackStatus } from '../../features/feedback/queries.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useLive } from '../../features/live/live.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { cx } from '../../ui/cx.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import styles from './FeedbackPage.module.css';
import { NothingSaid } from './NothingSaid.tsx';
import { FeedbackDetails } from './FeedbackDetails.tsx';
import { Row } from './Row.tsx';

const route = getRouteApi('/shell/feedback');
const refreshMs = 30_000;
/** The first tab adds nothing to the address, and would be current on all of them. */
const exactly = { exact: true };
const tabs = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['spam', 'Spam'],
] as const;

/** What users said, to be worked off: the list on the left, the one that is read on the right. */
export function FeedbackPage() {
  const org = useOrg();
  const { id, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const asked = feedbackListQuery(org, search);
  const list = useQuery({ ...asked, refetchInterval: refreshMs });
  const { data: projects } = useQuery(projectsQuery(org));
  const rows = useRef<HTMLUListElement>(null);
  const setStatus = useFeedbackStatus(org);
  useRowKeys(rows);
  useTitle(list.data && list.data.counts.open > 0 && `${list.data.counts.open} open`, 'Feedback');
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['feedback', org] });
  useCommand('list.refresh', refresh);
  useLive((message) => {
    if (message.type === 'reconnected') refresh();
  });

  const shown = list.data?.feedback ?? [];
  const status = search.status ?? 'open';
  const act = (to: 'resolved' | 'spam'): void => {
    if (id === undefined) return;
    const at = shown.findIndex((each) => each.id === id);
    // What is read may stand on no list: a link leads to it whatever its status is.
    const now = queries.getQueryData(feedbackQuery(org, id).queryKey)?.status ?? shown[at]?.status;
    const next = shown[at + 1] ?? shown[at - 1];
    setStatus.mutate({ ids: [id], status: now === to ? 'open' : to });
    // The next one is read: whoever works a list off goes on.
    void navigate({ search: (before) => ({ ...before, id: next?.id }), replace: true });
  };
  const close = (): void => void navigate({ search: (before) => ({ ...before, id: undefined }) });
  useCommand('list.clear', close, id !== undefined);
  useCommand('issue.resolve', () => act('resolved'), id !== undefined);
  useCommand('issue.archive', () => act('spam'), id !== undefined);
  const field = useRef<HTMLInputElement>(null);
  useCommand('list.search', () => field.current?.focus());
  useEffect(() => {
    if (field.current) field.current.value = search.q ?? '';
  }, [search.q]);

  return (
    <>
      <PageBar title="Feedback">
        <FilterBar fallbackRange="" />
      </PageBar>
      <BusyBar busy={list.isFetching && list.data !== undefined} cancel={() => void queries.cancelQueries(asked)} />
      <div className={styles.head}>
        <nav className={styles.tabs} aria-label="Status">
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
              className={styles.tab}
              activeOptions={exactly}
              aria-current={status === value ? 'page' : undefined}
            >
              {label}
              {list.data && <span className={styles.count}>{exactNumber(list.data.counts[value])}</span>}
            </Link>
          ))}
        </nav>
        <form
          role="search"
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault();
            const q = field.current?.value.trim() || undefined;
            void navigate({ search: (before) => ({ ...before, q, cursor: undefined, id: undefined }) });
          }}
        >
          <SearchIcon size={14} aria-hidden="true" />
          <input
            ref={field}
            type="search"
            defaultValue={search.q}
            maxLength={200}
            placeholder="Words, name, e-mail or address"
            aria-label="Search feedback"
          />
        </form>
      </div>
      {list.isPending ? (
        <Skeleton rows={8} height={64} label="Loading feedback" />
      ) : list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The feedback could not be loaded" />
      ) : shown.length === 0 && id === undefined ? (
        <NothingSaid search={search} />
      ) : (
        <div className={cx(styles.columns, id !== undefined && styles.reading)}>
          <ul ref={rows} className={styles.rows} aria-label="Feedback">
            {shown.map((each) => (
              <Row
                key={each.id}
                feedback={each}
                current={each.id === id}
                showProject={search.project === undefined && (projects?.length ?? 0) > 1}
              />
            ))}
          </ul>
          <div className={styles.one}>
            {id === undefined ? (
              <p className={styles.none}>Choose one to read it.</p>
            ) : (
              <FeedbackDetails key={id} id={id} onAct={act} onClose={close} />
            )}
          </div>
        </div>
      )}
      <PageLinks list="/feedback" cursors={list.data} cursor={search.cursor} />
    </>
  );
}

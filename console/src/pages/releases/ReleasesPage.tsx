import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { useRef } from 'react';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { lasting } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import fieldStyles from '../../ui/Field.module.css';
import { InlineSelect } from '../../ui/Field.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { LeftOut } from './LeftOut.tsx';
import { NoReleases } from './NoReleases.tsx';
import { ReleaseRow } from './ReleaseRow.tsx';
import styles from './ReleasesPage.module.css';
import { withUnit } from '../../ui/numbers.ts';

const route = getRouteApi('/shell/releases');

/** Which deploys there were, and what each broke. */
export function ReleasesPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...releasesQuery(org, search), refetchOnMount: false });
  const { data: projects } = useQuery(projectsQuery(org));
  const rows = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['releases', org, 'list'] });
  useRowKeys(rows);
  useCommand('list.refresh', refresh);
  useCommand('list.search', () => box.current?.focus());
  const releases = list.data?.releases ?? [];
  // Columns of dashes would tell nothing.
  const showHealth = releases.some(({ health }) => health !== undefined && health.sessions.total > 0);
  useLive((message) => {
    // Rows do not move under the reader's eyes; an empty list fills itself.
    if (message.type === 'reconnected' || (message.type === 'events' && releases.length === 0)) refresh();
  });
  const project = projects?.find((each) => each.slug === search.project);
  useTitle('Releases', project?.name);
  const narrowed = search.q || search.status || search.environment || search.range || search.start;

  return (
    <>
      <PageBar title="Releases">
        <FilterBar fallbackRange="" />
      </PageBar>
      <form
        className={styles.tools}
        onSubmit={(event) => {
          event.preventDefault();
          const q = String(new FormData(event.currentTarget).get('version') ?? '').trim();
          void navigate({ search: (before) => ({ ...before, q: q || undefined, cursor: undefined }) });
        }}
      >
        <input
          key={search.q}
          ref={box}
          name="version"
          type="search"
          className={fieldStyles.input}
          aria-label="Part of the version"
          defaultValue={search.q}
          placeholder="Version, such as web@1.2"
          autoComplete="off"
          maxLength={200}
        />
        <InlineSelect
          label="Status"
          value={search.status ?? ''}
          onChange={(event) =>
            void navigate({
              search: (before) => ({
                ...before,
                status: event.target.value === 'archived' ? ('archived' as const) : undefined,
                cursor: undefined,
              }),
            })
          }
        >
          <option value="">Open</option>
          <option value="archived">Archived</option>
        </InlineSelect>
        <InlineSelect
          label="Sort by"
          value={search.sort ?? ''}
          onChange={(event) =>
            void navigate({
              search: (before) => ({
                ...before,
                sort: event.target.value === 'new' ? ('new' as const) : undefined,
                cursor: undefined,
              }),
            })
          }
        >
          <option value="">Newest</option>
          <option value="new">New issues</option>
        </InlineSelect>
      </form>
      {list.data && <LeftOut leftOut={list.data.leftOut} />}
      <div className={styles.head} aria-hidden="true">
        <span className={styles.what}>Release</span>
        {showHealth && (
          <>
            <span className={styles.rate}>Crash-free sessions</span>
            <span className={cx(styles.rate, styles.ofUsers)}>Crash-free users</span>
            <span className={styles.adoption}>Adoption, {withUnit(24, 'h')}</span>
            <span className={styles.spark}>Sessions, {search.range ?? (search.start ? 'range' : '14d')}</span>
          </>
        )}
        <span className={styles.number}>New issues</span>
        <span className={styles.number}>Events</span>
        <span className={cx(styles.number, showHealth && styles.spare)}>Commits</span>
        <span className={cx(styles.when, showHealth && styles.spare)}>Released</span>
        <span className={styles.when}>Last event</span>
      </div>
      <BusyBar
        busy={list.isFetching && list.data !== undefined}
        cancel={() => void queries.cancelQueries({ queryKey: ['releases', org, 'list'] })}
      />
      {list.isPending ? (
        <Skeleton rows={10} height={54} label="Loading releases" />
      ) : list.isError && list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The releases could not be loaded" />
      ) : releases.length > 0 ? (
        <ul ref={rows} className={styles.list} aria-busy={list.isFetching} aria-label="Releases">
          {releases.map((release) => (
            <ReleaseRow
              key={release.id}
              release={release}
              among={releases}
              showProjects={search.project === undefined}
              showHealth={showHealth}
            />
          ))}
        </ul>
      ) : narrowed ? (
        <EmptyState title="No release matches" icon={<NotFoundIcon size={24} />}>
          <p>Neither version, environment, time nor status may leave one out.</p>
          <Link
            from="/releases"
            to="."
            search={({ project: kept, elsewhere }) =>
              chosen({ project: kept, elsewhere }, { environment: undefined, ...lasting() })
            }
            className={buttonClass()}
          >
            Show all releases
          </Link>
        </EmptyState>
      ) : (
        <NoReleases project={project ?? projects?.[0]} />
      )}
      <PageLinks list="/releases" cursors={list.data} cursor={search.cursor} />
    </>
  );
}

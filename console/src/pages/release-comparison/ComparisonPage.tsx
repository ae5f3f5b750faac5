import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CompareIcon, SwapIcon } from '../../ui/icons.ts';
import { ApiError } from '../../api/errors.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { comparisonQuery } from '../../features/releases/health-queries.ts';
import { choices, chosenPair, chosenSide } from '../../features/releases/pair.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { ComparedIssues } from './ComparedIssues.tsx';
import styles from './ComparisonPage.module.css';
import { Numbers } from './Numbers.tsx';

const route = getRouteApi('/shell/releases/compare');

/** Two releases side by side: what is new, gone and worse. */
export function ComparisonPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { project, environment } = search;
  const list = useQuery(releasesQuery(org, { project, environment }));
  const versions = (list.data?.releases ?? []).map((release) => release.version);
  const { from, to } = chosenPair({ from: search.from, to: search.to }, versions);
  const both = from !== undefined && to !== undefined && from !== to;
  const found = useQuery({
    ...comparisonQuery(org, from ?? '', to ?? '', { project, environment }),
    enabled: both,
    placeholderData: (before) => before,
  });
  useTitle('Compare releases', 'Releases');
  const choose = (side: 'from' | 'to', version: string): void =>
    void navigate({ search: (before) => ({ ...before, ...chosenSide({ from, to }, side, version) }), replace: true });
  const isGone = found.error instanceof ApiError && found.error.status === 404;

  return (
    <>
      <PageBar
        title={
          <span className={styles.crumbs}>
            <Link to="/releases">Releases</Link>
            <span aria-hidden="true">/</span>
            <span>Compare</span>
          </span>
        }
      >
        <FilterBar range={false} />
      </PageBar>
      <div className={styles.pair}>
        <VersionSelect
          label="Before"
          value={from}
          versions={versions}
          onChoose={(version) => choose('from', version)}
        />
        <Button
          icon={<SwapIcon size={14} />}
          aria-label="Swap the two releases"
          tip="Swap"
          disabled={!both}
          onClick={() => void navigate({ search: (before) => ({ ...before, from: to, to: from }), replace: true })}
        />
        <VersionSelect label="After" value={to} versions={versions} onChoose={(version) => choose('to', version)} />
      </div>
      <BusyBar busy={found.isFetching && found.data !== undefined} />
      {both && isGone ? (
        <EmptyState title="One of the two releases was not found" icon={<CompareIcon size={24} />}>
          <p>{found.error instanceof Error ? found.error.message : ''}</p>
          <Link to="/releases" className={buttonClass()}>
            Go to releases
          </Link>
        </EmptyState>
      ) : list.isError && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The releases could not be loaded" />
      ) : both && found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="They could not be compared" />
      ) : list.isPending || (both && !found.data) ? (
        <Skeleton rows={8} height={44} label="Comparing" />
      ) : !both || !found.data ? (
        <EmptyState title="There is nothing to compare yet" icon={<CompareIcon size={24} />}>
          <p>
            It takes two releases of one package. Choose another project or environment, or come back after the next
            one.
          </p>
          <Link to="/releases" className={buttonClass()}>
            Go to releases
          </Link>
        </EmptyState>
      ) : (
        <div className={styles.body} aria-busy={found.isFetching}>
          <div className={styles.column}>
            <ComparedIssues kind="new" comparison={found.data} />
            <ComparedIssues kind="worse" comparison={found.data} />
            <ComparedIssues kind="gone" comparison={found.data} />
            <ComparedIssues kind="better" comparison={found.data} />
            {found.data.partial && (
              <p className={styles.faint}>There are more issues than are compared: those with the most events are.</p>
            )}
          </div>
          <div className={styles.column}>
            <Numbers comparison={found.data} />
          </div>
        </div>
      )}
    </>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Newest first. */
  readonly versions: readonly string[];
  readonly onChoose: (version: string) => void;
}

function VersionSelect({ label, value, versions, onChoose }: VersionSelectProps) {
  return (
    <span className={styles.side}>
      <span className={styles.faint} aria-hidden="true">
        {label}
      </span>
      <InlineSelect label={label} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
        {value === undefined && <option value="">none</option>}
        {choices(versions, value).map((version) => (
          <option key={version} value={version}>
            {version}
          </option>
        ))}
      </InlineSelect>
    </span>
  );
}

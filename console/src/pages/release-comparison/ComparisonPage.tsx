import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SwapIcon } from '../../ui/icons.ts';
import { ApiError } from '../../api/errors.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { Empty } from '../../features/places/Empty.tsx';
import { comparisonQuery } from '../../features/releases/health-queries.ts';
import { choices, chosenPair, chosenSide } from '../../features/releases/pair.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/release-comparison.ts';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Sides } from '../../ui/Layout.tsx';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { ComparedIssues } from './ComparedIssues.tsx';
import styles from './ComparisonPage.module.css';
import { notFound, tooFew } from './empty.ts';
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
  useTitle(m.title, m.releases);
  const choose = (side: 'from' | 'to', version: string): void =>
    void navigate({ search: (before) => ({ ...before, ...chosenSide({ from, to }, side, version) }), replace: true });
  const isGone = found.error instanceof ApiError && found.error.status === 404;

  return (
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/releases">{m.releases}</Link>
            {m.compare}
          </Crumbs>
        }
      >
        <FilterBar range={false} />
      </PageBar>
      <div className={styles.versions}>
        <VersionSelect
          label={m.before}
          value={from}
          versions={versions}
          onChoose={(version) => choose('from', version)}
        />
        <Button
          icon={<SwapIcon size={14} />}
          aria-label={m.swapReleases}
          tip={m.swap}
          disabled={!both}
          onClick={() => void navigate({ search: (before) => ({ ...before, from: to, to: from }), replace: true })}
        />
        <VersionSelect label={m.after} value={to} versions={versions} onChoose={(version) => choose('to', version)} />
      </div>
      {both && isGone ? (
        <Empty
          of={notFound}
          values={{ reason: <span translate="no">{found.error instanceof Error ? found.error.message : ''}</span> }}
        />
      ) : both ? (
        <QueryView query={found} loading={m.loading} failed={m.failed} rows={8} height={44}>
          {(comparison) => (
            <Sides
              main={
                <>
                  {(['new', 'worse', 'gone', 'better'] as const).map((kind) => (
                    <ComparedIssues key={kind} kind={kind} comparison={comparison} />
                  ))}
                  {comparison.partial && (
                    <Text as="p" tone="faint" small>
                      {m.partial}
                    </Text>
                  )}
                </>
              }
              side={<Numbers comparison={comparison} />}
            />
          )}
        </QueryView>
      ) : (
        <QueryView query={list} loading={m.loading} failed={m.failed} rows={8} height={44}>
          {() => <Empty of={tooFew} />}
        </QueryView>
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
      <Text tone="faint" small>
        <span aria-hidden="true">{label}</span>
      </Text>
      <InlineSelect label={label} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
        {value === undefined && <option value="">{m.none}</option>}
        {choices(versions, value).map((version) => (
          <option key={version} value={version} translate="no">
            {version}
          </option>
        ))}
      </InlineSelect>
    </span>
  );
}

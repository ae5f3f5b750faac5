import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { vitalsQuery, type VitalsGroup } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { opportunityWords } from '../../features/performance/vitals.ts';
import { useOrg } from '../../features/session/organization.ts';
import { noScore } from '../../messages/performance.ts';
import * as m from '../../messages/vitals.ts';
import { Count } from '../../ui/Count.tsx';
import { Cell, DataTable, HeadCell, type LeftOut, RowHead } from '../../ui/DataTable.tsx';
import { roundedNumber } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { VitalCells, VitalHeads } from './vital-cells.tsx';
import styles from './VitalsPage.module.css';

const hide = (): LeftOut => 'narrow';

/** Every page, where there is most to gain first. */
export function Pages({ search }: { readonly search: VitalsSearch }) {
  const found = useQuery(vitalsQuery(useOrg(), search, 'transaction'));
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  return (
    <Panel title={m.pages} id="pages" boxed={false}>
      <QueryView query={found} loading={m.loadingPages} failed={m.pagesFailed} rows={6} height={44}>
        {(groups) => (
          <DataTable label={m.pages} boxed rows={rows} busy={found.isFetching} head={<PageHead />}>
            {groups.map((group) => (
              <PageRow
                key={`${group.project?.id} ${group.name}`}
                group={group}
                showProject={search.project === undefined}
              />
            ))}
          </DataTable>
        )}
      </QueryView>
    </Panel>
  );
}

export const PageHead = () => (
  <>
    <HeadCell main>{m.columns.page}</HeadCell>
    <HeadCell>{m.columns.score}</HeadCell>
    <VitalHeads hide={hide} />
    <HeadCell number hide="narrow">
      {m.columns.samples}
    </HeadCell>
    <HeadCell number>
      <span data-tip={m.opportunityTip}>{m.columns.opportunity}</span>
    </HeadCell>
  </>
);

export function PageRow({ group, showProject }: { readonly group: VitalsGroup; readonly showProject: boolean }) {
  const { name, project, score, rating, vitals, count, opportunity } = group;
  return (
    <tr>
      <RowHead>
        <Link
          to="/performance/vitals"
          search={{ of: project?.slug, page: name }}
          className={rowLinkClass}
          title={name}
          translate={name ? 'no' : undefined}
          data-row=""
        >
          {name || m.unnamed}
        </Link>
        {showProject && (
          <Facts cut>
            <span translate="no">{project?.slug}</span>
          </Facts>
        )}
      </RowHead>
      <Cell>
        {score === null ? (
          <Text tone="faint">{noScore}</Text>
        ) : (
          <span className={styles.scored}>
            <strong>{Math.round(score)}</strong> {rating && <RatingMark rating={rating} />}
          </span>
        )}
      </Cell>
      <VitalCells vitals={vitals} hide={hide} />
      <Cell number hide="narrow">
        <Count value={count} />
      </Cell>
      <Cell number>
        <span data-tip={opportunityWords(opportunity)}>{roundedNumber(opportunity, 1)}</span>
      </Cell>
    </tr>
  );
}

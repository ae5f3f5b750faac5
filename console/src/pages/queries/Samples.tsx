import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callSitesQuery, placeOf, type QuerySample } from '../../features/performance/database-queries.ts';
import { tracePlace } from '../../features/performance/links.ts';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/database-query.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

const { columns } = m;

/** The slowest calls; each leads to its span in the trace. */
export function Samples({ search }: { readonly search: QueriesSearch }) {
  const found = useQuery(callSitesQuery(useOrg(), search));
  return (
    <Panel title={m.samplesTitle} id="samples" boxed={false}>
      <QueryView
        query={found}
        loading={m.sitesLoading}
        failed={m.sitesFailed}
        rows={6}
        height={32}
        empty={<Nothing>{m.samplesNone}</Nothing>}
        isEmpty={({ samples }) => samples.length === 0}
      >
        {({ samples }) => (
          <DataTable
            label={m.samplesTitle}
            boxed
            dense
            busy={found.isFetching}
            head={
              <>
                <HeadCell number>{columns.duration}</HeadCell>
                <HeadCell>{columns.trace}</HeadCell>
                <HeadCell main>{columns.transaction}</HeadCell>
                <HeadCell hide="medium">{columns.site}</HeadCell>
                <HeadCell number hide="narrow">
                  {columns.started}
                </HeadCell>
              </>
            }
          >
            {samples.map((sample) => (
              <SampleRow key={`${sample.traceId} ${sample.spanId}`} sample={sample} />
            ))}
          </DataTable>
        )}
      </QueryView>
    </Panel>
  );
}

export function SampleRow({ sample }: { readonly sample: QuerySample }) {
  const { durationMs, traceId, transaction, failed, site, startUs } = sample;
  const place = site && (placeOf(site) || site.function);
  return (
    <tr>
      <Cell number>{milliseconds(durationMs)}</Cell>
      <Cell>
        <Link to="/traces/$trace" {...tracePlace(sample)}>
          <code>{traceId.slice(0, 8)}</code>
        </Link>
      </Cell>
      <RowHead>
        <Text as="div" cut>
          <span translate="no">{transaction}</span>{' '}
          {failed && (
            <Text tone="error">
              <Level level="error" /> {m.samplesFailed}
            </Text>
          )}
        </Text>
      </RowHead>
      <Cell hide="medium">{place && <code title={site.function}>{place}</code>}</Cell>
      <Cell number hide="narrow">
        <Time at={startUs / 1000} />
      </Cell>
    </tr>
  );
}

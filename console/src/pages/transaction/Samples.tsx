import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracePlace } from '../../features/performance/links.ts';
import { samplesQuery } from '../../features/performance/part-queries.ts';
import { type SampleRow as Row, sampleRows } from '../../features/performance/sample-rows.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/transaction.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** Traces that took about as long as the percentiles, or of the durations that were picked. */
export function Samples({ search }: { readonly search: TransactionSearch }) {
  const found = useQuery(samplesQuery(useOrg(), search));
  return (
    <Panel title={m.samples} id="samples" boxed={false}>
      <QueryView
        query={found}
        loading={m.loadingSamples}
        failed={m.samplesFailed}
        rows={6}
        height={32}
        empty={<Nothing>{m.noSamples}</Nothing>}
        isEmpty={({ samples }) => samples.length === 0}
      >
        {({ samples }) => (
          <DataTable label={m.samples} boxed dense busy={found.isFetching} head={<SampleHead />}>
            {sampleRows(samples).map((sample) => (
              <SampleRow key={`${sample.traceId} ${sample.spanId}`} sample={sample} />
            ))}
          </DataTable>
        )}
      </QueryView>
    </Panel>
  );
}

export const SampleHead = () => (
  <>
    <HeadCell>{m.columns.percentile}</HeadCell>
    <HeadCell number>{m.columns.duration}</HeadCell>
    <HeadCell main>{m.columns.trace}</HeadCell>
    <HeadCell hide="narrow">{m.columns.release}</HeadCell>
    <HeadCell number>{m.columns.started}</HeadCell>
  </>
);

export function SampleRow({ sample }: { readonly sample: Row }) {
  const { heading, durationMs, traceId, status, release, startUs } = sample;
  return (
    <tr>
      <Cell>
        <strong>{heading}</strong>
      </Cell>
      <Cell number>{milliseconds(durationMs)}</Cell>
      <RowHead>
        <Link to="/traces/$trace" {...tracePlace(sample)}>
          <code>{traceId.slice(0, 8)}</code>
        </Link>{' '}
        {status && status !== 'ok' && (
          <Text tone="error">
            <Level level="error" /> <span translate="no">{status.replaceAll('_', ' ')}</span>
          </Text>
        )}
      </RowHead>
      <Cell hide="narrow">
        <code>{release}</code>
      </Cell>
      <Cell number>
        <Time at={startUs / 1000} />
      </Cell>
    </tr>
  );
}

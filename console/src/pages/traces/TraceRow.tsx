import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedTrace } from '../../features/traces/queries.ts';
import { milliseconds } from '../../features/traces/words.ts';
import { SpanSwatch } from '../../features/waterfall/SpanSwatch.tsx';
import * as m from '../../messages/traces.ts';
import { Bar } from '../../ui/Bar.tsx';
import { Count } from '../../ui/Count.tsx';
import { Cell, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Level } from '../../ui/Level.tsx';
import { compactNumber } from '../../ui/numbers.ts';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './TracesPage.module.css';

/** More services than that are not counted. */
const mostServices = 20;

export const TraceHead = () => (
  <>
    <HeadCell main>{m.columns.trace}</HeadCell>
    <HeadCell number>{m.columns.duration}</HeadCell>
    <HeadCell number hide="medium">
      {m.columns.spans}
    </HeadCell>
    <HeadCell number hide="wide">
      {m.columns.services}
    </HeadCell>
    <HeadCell number hide="medium">
      {m.columns.errors}
    </HeadCell>
    <HeadCell number hide="narrow">
      {m.columns.started}
    </HeadCell>
  </>
);

interface Props {
  readonly trace: ListedTrace;
  /** The longest duration on the page, ms. */
  readonly longestMs: number;
  /** The list is about single requests, so the row says which of the trace it is. */
  readonly isMatching: boolean;
  readonly showProject: boolean;
  /** There is room for the name and the duration only. */
  readonly narrow: boolean;
}

export function TraceRow({ trace, longestMs, isMatching, showProject, narrow }: Props) {
  const { traceId, match, services, spans, errors } = trace;
  const root = trace.root ?? match;
  const shown = isMatching ? match : root;
  return (
    <tr>
      <RowHead>
        <div className={styles.title}>
          <Link
            to="/traces/$trace"
            params={{ trace: traceId }}
            search={{ span: shown.spanId, at: Math.floor(shown.startUs / 1_000_000) }}
            className={rowLinkClass}
            title={root.transaction}
            translate={root.transaction ? 'no' : undefined}
            data-row=""
          >
            {root.transaction || m.unnamed}
          </Link>
          <Failure trace={trace} />
        </div>
        <Facts cut>
          <span translate="no">
            <SpanSwatch op={root.op} /> {root.op || <span translate="yes">{m.noOperation}</span>}
          </span>
          <span translate="no">{root.service || root.project.slug}</span>
          {!narrow && showProject && root.service !== '' && <span translate="no">{root.project.slug}</span>}
          {!narrow && trace.rootMissing && m.rootMissing}
          {isMatching && match.spanId !== root.spanId && matchWords(match, milliseconds(root.durationMs))}
          {narrow && errors > 0 && m.errorCount({ count: errors })}
          {narrow && <Time at={match.startUs / 1000} short />}
        </Facts>
      </RowHead>
      <Cell number>
        <span className={styles.took}>
          {milliseconds(shown.durationMs)}
          <Bar
            share={Math.max(0.01, shown.durationMs / Math.max(longestMs, 0.001))}
            tone={shown.failed ? 'error' : 'accent'}
          />
        </span>
      </Cell>
      <Cell number hide="medium">
        <Count value={spans} />
      </Cell>
      <Cell number hide="wide">
        <span data-tip={services.length > 1 ? services.join('\n') : undefined} translate="no">
          {services.length}
          {services.length === mostServices && '+'}
        </span>
      </Cell>
      <Cell number hide="medium">
        {errors > 0 ? (
          <Link
            to="/issues"
            search={{ q: `trace:${traceId}`, status: 'all' }}
            className={styles.errors}
            aria-label={m.errorsOfTrace({ count: errors })}
          >
            {compactNumber(errors)}
          </Link>
        ) : (
          '0'
        )}
      </Cell>
      <Cell number hide="narrow">
        <Time at={match.startUs / 1000} />
      </Cell>
    </tr>
  );
}

function Failure({ trace: { root, match, failedSegments } }: { readonly trace: ListedTrace }): ReactNode {
  const { failed, status } = root ?? match;
  if (!failed && failedSegments === 0) return null;
  return (
    <Text tone="error" small>
      <Level level="error" />{' '}
      {failed ? (
        <span translate="no">{status.replaceAll('_', ' ') || <span translate="yes">{m.failedRoot}</span>}</span>
      ) : (
        m.failedInside({ count: failedSegments })
      )}
    </Text>
  );
}

function matchWords({ failed, transaction, op, service }: ListedTrace['match'], total: string): string {
  const name = transaction || op;
  if (!service) return failed ? m.failedMatch({ name, total }) : m.match({ name, total });
  return failed ? m.failedMatchOf({ name, service, total }) : m.matchOf({ name, service, total });
}

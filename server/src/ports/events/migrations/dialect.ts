/**
 * The one place where a single node and a cluster differ. On one node a table keeps its own log of inserted blocks;
 * on a cluster the replicas share one, and every statement runs on all nodes.
 */

import { quoteCluster } from '../layout.ts';

/** Inserts of which each table remembers the tokens: far more than can be repeated after a crash. */
const deduplicationWindow = 10_000;

/** An insert is on disk when it is answered. */
const durable = { fsync_after_insert: 1, fsync_part_directory: 1 };
/** Retention drops whole parts, and a changed retention rewrites none. */
const dropping = { ttl_only_drop_parts: 1, materialize_ttl_recalculate_only: 1 };

export interface Dialect {
  /** ` ON CLUSTER …` or ''; stands after the table's name. */
  readonly onCluster: string;
  /** `MergeTree`, `SummingMergeTree`, … with its arguments, e.g. `engine('Summing', '(quantity)')`. */
  engine(kind: '' | 'Summing' | 'Aggregating' | 'Replacing', columns?: string): string;
  /** Of one table that all nodes have alike, whatever their shard. */
  readonly sharedEngine: string;
  /** Table settings that make inserts durable and repeatable, then the given ones. */
  settings(own?: Readonly<Record<string, string | number>>): string;
}

export function createDialect(cluster: string | undefined): Dialect {
  const replicated = cluster !== undefined && cluster !== '';
  const common = replicated
    ? { replicated_deduplication_window: deduplicationWindow, replicated_deduplication_window_seconds: 604_800 }
    : { non_replicated_deduplication_window: deduplicationWindow };
  return {
    onCluster: replicated ? ` ON CLUSTER ${quoteCluster(cluster)}` : '',
    engine: (kind, columns) => {
      const place = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
      if (!replicated) return `${kind}MergeTree${columns === undefined ? '' : `(${columns})`}`;
      return `Replicated${kind}MergeTree(${columns === undefined ? place : `${place}, ${columns}`})`;
    },
    sharedEngine: replicated
      ? "ReplicatedMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}')"
      : 'MergeTree',
    settings: (own = {}) =>
      Object.entries({ ...common, ...durable, ...dropping, ...own })
        .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `'${value}'`}`)
        .join(', '),
  };
}

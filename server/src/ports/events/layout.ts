/**
 * Where tables lie. On one node those of the database have the rows. On a cluster each shard has its rows in a database of
 * its own, under the same names, with the same views: what is made there knows nothing of other shards. The database of
 * the address has a `Distributed` table for each of them, through which everything is read and inserted.
 */
import type { EventsAddress } from './events.ts';

export interface Layout {
  /** The database whose tables have rows; statements without a result run there. */
  readonly rows: string;
  /** ` ON CLUSTER …` or ''; stands after the name of a table that is changed. */
  readonly onCluster: string;
  /** `system.parts` and the like, of all nodes. */
  system(table: string): string;
}

export function layoutOf({ database, cluster }: Pick<EventsAddress, 'database' | 'cluster'>): Layout {
  if (!cluster) return { rows: database, onCluster: '', system: (table) => `system.${table}` };
  const name = quoteCluster(cluster);
  return {
    rows: `${database}_local`,
    onCluster: ` ON CLUSTER ${name}`,
    system: (table) => `clusterAllReplicas(${name}, system.${table})`,
  };
}

export function quoteCluster(name: string): string {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`cluster name "${name}" is not valid`);
  return `\`${name}\``;
}

/** Of statements on `Distributed` tables. */
export const clusterSettings = {
  // What a subquery finds is found once, on all shards, and sent to each: rows that belong together by something other
  // than what shards are chosen by may lie apart.
  query: { distributed_product_mode: 'global' },
  // Answered when the shards have it. The token goes with it to each of them.
  insert: { distributed_foreground_insert: 1 },
  // On every replica when it is answered, so that the next statement finds it, whoever asks.
  command: { alter_sync: '2', distributed_ddl_output_mode: 'throw' },
} as const;

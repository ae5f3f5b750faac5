/**
 * Makes the tables of one events store what those of another are, partition by partition, while that one is written to.
 *
 * Rows are copied as they are, those of aggregates too; so the target has no views while it lasts, which would count
 * what comes a second time. Of a partition of a table whose rows stay what they are, only what has come since is copied
 * again. A partition of aggregates is copied anew, unless the engine has left its parts alone since.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../base/errors.ts';
import { move as texts } from '../../../base/texts/move.ts';
import { tableRecords } from '../../../base/tables/index.ts';
import { layoutOf } from '../layout.ts';
import type { Events } from '../events.ts';
import { type CopiedTable, copyStretch, type Ends, PartitionChanged, within } from './partition.ts';

/** What is known of a copied partition. To be kept: with it a copy goes on where it was. */
export interface Copied {
  /** The last insert that was copied. */
  readonly through: number;
  /** In the target; of aggregates, as many as were sent. */
  readonly rows: number;
  /** The parts that it was, of aggregates. */
  readonly parts: readonly string[];
  /** Something was under way: what the target has of it is not known. */
  readonly isOpen: boolean;
}

export interface Journal {
  readonly partitions: ReadonlyMap<string, Copied>;
  /** On disk when it resolves. */
  note(key: string, copied: Copied | undefined): Promise<void>;
}

export interface EventsPass {
  /** Rows that were sent. */
  readonly rows: number;
  readonly bytes: number;
  readonly partitions: number;
}

const attempts = 10;
const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** In the order in which they are copied. The tables of both have the same columns, or it throws. */
export async function tablesToCopy(source: Events, target: Events): Promise<CopiedTable[]> {
  const [ours, theirs] = await Promise.all([tablesOf(source), tablesOf(target)]);
  return ours.map((table) => {
    const other = theirs.find(({ name }) => name === table.name);
    if (other?.columns.toSorted().join() !== table.columns.toSorted().join()) {
      throw new Error(`the table ${table.name} has other columns in the other events store`);
    }
    return table;
  });
}

async function tablesOf(events: Events): Promise<CopiedTable[]> {
  const tables = await events.query<{ name: string; engine: string; partitioned_by: string; columns: string[] }>(
    `SELECT t.name AS name, t.engine AS engine, t.partition_key AS partitioned_by, groupArray(c.name) AS columns
     FROM system.tables AS t
     INNER JOIN (SELECT table, name, position FROM system.columns
       WHERE database = {rows:String} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY table, position
     ) AS c ON c.table = t.name
     WHERE t.database = {rows:String} AND t.engine LIKE '%MergeTree' AND t.name NOT IN ('schema_migrations', 'carried_payloads')
     GROUP BY name, engine, partitioned_by ORDER BY name`,
    { rows: layoutOf(events.address).rows },
  );
  return tables.map(({ name, engine, columns, partitioned_by: partitionedBy }) => ({
    name,
    columns,
    isPlain: /^(?:Replicated)?MergeTree$/.test(engine),
    partitionedBy,
  }));
}

/** So that rows know their insert after a merge as well. */
export async function numberInserts(source: Events, tables: readonly CopiedTable[], isOn: boolean): Promise<void> {
  const { onCluster } = layoutOf(source.address);
  const [setting] = [
    isOn ? 'MODIFY SETTING enable_block_number_column = 1' : 'RESET SETTING enable_block_number_column',
  ];
  for (const { name, isPlain } of tables)
    if (isPlain) await source.command(`ALTER TABLE ${name}${onCluster} ${setting}`);
}

/** Parts of aggregates stay what they are: from now on what comes is beside them. Until the engine starts again. */
export async function stopMerges(source: Events, tables: readonly CopiedTable[], isOn = true): Promise<void> {
  const { onCluster } = layoutOf(source.address);
  for (const { name, isPlain } of tables) {
    if (!isPlain) await source.command(`SYSTEM ${isOn ? 'STOP' : 'START'} MERGES${onCluster} ${name}`);
  }
}

interface View {
  readonly name: string;
  readonly definition: string;
}

const viewsOf = (events: Events): Promise<View[]> =>
  events.query<View>(
    `SELECT name, create_table_query AS definition FROM system.tables
     WHERE database = {rows:String} AND engine = 'MaterializedView' ORDER BY name`,
    { rows: layoutOf(events.address).rows },
  );

export async function dropViews(target: Events): Promise<void> {
  const { onCluster } = layoutOf(target.address);
  for (const { name } of await viewsOf(target)) await target.command(`DROP VIEW IF EXISTS ${name}${onCluster} SYNC`);
}

/** Those that the source has. */
export async function makeViews(source: Events, target: Events): Promise<void> {
  const { onCluster } = layoutOf(target.address);
  const from = new RegExp(`(?<![\\w.])\`?${layoutOf(source.address).rows}\`?\\.`, 'g');
  for (const { name, definition } of await viewsOf(source)) {
    const [, body] = /^CREATE MATERIALIZED VIEW \S+ (.*)$/s.exec(definition) ?? [];
    if (body === undefined) throw new Error(`the view ${name} is defined in a way that cannot be copied`);
    await target.command(
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${onCluster} ${body.replaceAll(from, `${layoutOf(target.address).rows}.`)}`,
    );
  }
}

interface Partition {
  readonly table: string;
  readonly partition: string;
  readonly parts: readonly string[];
  readonly last: number;
}

const partitionsOf = (events: Events): Promise<Partition[]> =>
  events.query<Partition>(
    `SELECT table, partition_id AS partition, arraySort(groupArray(name)) AS parts, max(max_block_number) AS last
     FROM system.parts WHERE database = {rows:String} AND active AND rows > 0
     GROUP BY table, partition ORDER BY table, partition DESC`,
    { rows: layoutOf(events.address).rows },
  );

/** Newest first would be read first; those that nobody writes to any more come last. */
export async function copyEvents(tables: readonly CopiedTable[], journal: Journal, ends: Ends): Promise<EventsPass> {
  const sum = { rows: 0, bytes: 0, partitions: 0 };
  const onBytes: Ends['onBytes'] = async (bytes, rows) => {
    sum.bytes += bytes;
    sum.rows += rows;
    await ends.onBytes(bytes, rows);
  };
  const found = await partitionsOf(ends.source);
  for (const table of tables) {
    const own = found.filter((each) => each.table === table.name);
    const partitions = new Set(own.map(({ partition }) => partition));
    for (const key of journal.partitions.keys()) {
      const [name, partition = ''] = key.split(' ');
      if (name !== table.name || partitions.has(partition)) continue;
      // It is past its retention.
      await drop(table, partition, ends.target);
      await journal.note(key, undefined);
    }
    const counted = table.isPlain ? await countRows(table, own, journal, ends) : new Map<string, Counted>();
    for (const partition of own) {
      const before = sum.rows;
      await copyPartition(table, partition, counted.get(partition.partition), journal, { ...ends, onBytes });
      if (sum.rows > before) sum.partitions += 1;
    }
  }
  return sum;
}

interface Counted {
  /** Of what was copied so far, in the source. */
  readonly source: number;
  readonly target: number;
}

/** What the engine calls a row's partition. Of a cluster's tables only their columns can be asked for. */
const partitionOf = ({ partitionedBy }: CopiedTable, { address }: Events): string => {
  if (!address.cluster) return '_partition_id';
  return partitionedBy === '' ? `'all'` : `replaceAll(toString(${partitionedBy}), '-', '')`;
};

/** What was copied is compared in numbers: rows may have been deleted since. */
async function countRows(
  table: CopiedTable,
  partitions: readonly Partition[],
  journal: Journal,
  { source, target }: Ends,
): Promise<Map<string, Counted>> {
  const { name } = table;
  const conditions = partitions.flatMap(({ partition }) => {
    const copied = journal.partitions.get(`${name} ${partition}`);
    return copied ? [`(${within({ partition, after: -1, through: copied.through })})`] : [];
  });
  if (!conditions.length) return new Map();
  const count = (from: Events, sql: string): Promise<{ partition: string; n: number }[]> =>
    from.query(sql, {}, { maxExecutionSeconds: 600 });
  const [ours, theirs] = await Promise.all([
    count(
      source,
      `SELECT _partition_id AS partition, count() AS n FROM ${layoutOf(source.address).rows}.${name}
       WHERE ${conditions.join(' OR ')} GROUP BY partition`,
    ),
    count(target, `SELECT ${partitionOf(table, target)} AS partition, count() AS n FROM ${name} GROUP BY partition`),
  ]);
  const of = (rows: typeof ours, wanted: string): number => rows.find(({ partition }) => partition === wanted)?.n ?? 0;
  return new Map(
    partitions.map(({ partition }) => [partition, { source: of(ours, partition), target: of(theirs, partition) }]),
  );
}

async function copyPartition(
  table: CopiedTable,
  { partition, parts, last }: Partition,
  counted: Counted | undefined,
  journal: Journal,
  ends: Ends,
): Promise<void> {
  const key = `${table.name} ${partition}`;
  const copied = journal.partitions.get(key);
  const isWhole = copied && !copied.isOpen && (table.isPlain ? isSame(copied, counted) : isGrown(copied, parts));
  if (isWhole && last <= copied.through && (table.isPlain || copied.parts.length === parts.length)) return;
  if (isWhole) {
    try {
      return await add(table, partition, { ...copied, parts }, last, journal, ends);
    } catch (error) {
      if (!(error instanceof PartitionChanged)) throw error;
    }
  }
  for (let attempt = 1; ; attempt++) {
    await journal.note(key, { through: 0, rows: 0, parts: [], isOpen: true });
    await drop(table, partition, ends.target);
    try {
      return await copyWhole(table, partition, journal, ends);
    } catch (error) {
      if (!(error instanceof PartitionChanged)) throw error;
      if (attempt === attempts) throw new CodedError('MOVE_REFUSED', [texts.changing(table.name)], { cause: error });
      // What changes rows, such as payloads that are moved out of them, is over sooner or later.
      await delay(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt), undefined, { signal: ends.signal });
    }
  }
}

const isSame = ({ rows }: Copied, counted: Counted | undefined): boolean =>
  counted?.source === rows && counted.target === rows;

const isGrown = (copied: Copied, parts: readonly string[]): boolean =>
  copied.parts.every((part) => parts.includes(part));

/** Of aggregates, whose parts stay what they are while it lasts. */
async function copyWhole(table: CopiedTable, partition: string, journal: Journal, ends: Ends): Promise<void> {
  const now = async (): Promise<Partition | undefined> =>
    (await partitionsOf(ends.source)).find((each) => each.table === table.name && each.partition === partition);
  const found = await now();
  if (!found) return;
  const rows = await copyStretch(table, { partition, after: -1, through: found.last }, ends);
  if (!table.isPlain) {
    const after = await now();
    if (!found.parts.every((part) => after?.parts.includes(part))) throw new PartitionChanged();
  }
  await journal.note(`${table.name} ${partition}`, {
    through: found.last,
    rows: await arrived(table, partition, rows, ends.target),
    parts: table.isPlain ? [] : found.parts,
    isOpen: false,
  });
}

async function add(
  table: CopiedTable,
  partition: string,
  copied: Copied,
  last: number,
  journal: Journal,
  ends: Ends,
): Promise<void> {
  const key = `${table.name} ${partition}`;
  // Of the parts as they were found: what has come since has a later number.
  await journal.note(key, { ...copied, isOpen: true });
  const added = await copyStretch(table, { partition, after: copied.through, through: last }, ends);
  const rows = await arrived(table, partition, copied.rows + added, ends.target);
  await journal.note(key, { through: last, rows, parts: table.isPlain ? [] : copied.parts, isOpen: false });
}

/** Throws where other rows have come than were sent: some were deleted meanwhile. */
async function arrived(table: CopiedTable, partition: string, rows: number, target: Events): Promise<number> {
  if (!table.isPlain) return rows;
  const [found] = await target.query<{ n: number }>(
    `SELECT count() AS n FROM ${table.name} WHERE ${partitionOf(table, target)} = {partition:String}`,
    { partition },
  );
  if (found?.n !== rows) throw new PartitionChanged();
  return rows;
}

async function drop({ name }: CopiedTable, partition: string, target: Events): Promise<void> {
  const { onCluster } = layoutOf(target.address);
  await target.command(`ALTER TABLE ${name}${onCluster} DROP PARTITION ID '${checked(partition)}'`);
}

function checked(partition: string): string {
  if (!/^[\w-]+$/.test(partition)) throw new CodedError('ENGINE_UNAVAILABLE', [], { cause: new Error(partition) });
  return partition;
}

export interface Difference {
  readonly table: string;
  readonly projectId: number;
  /** YYYYMM; '' of aggregates, whose rows are counted once they are merged. */
  readonly month: string;
  readonly source: number;
  readonly target: number;
}

export interface EventsCounts {
  readonly tables: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** Counts rows by table, project and month on both sides. */
export async function compareEvents(
  tables: readonly CopiedTable[],
  { source, target }: Pick<Ends, 'source' | 'target'>,
): Promise<EventsCounts> {
  const counts: Record<string, number> = {};
  const differences: Difference[] = [];
  for (const table of tables) {
    const [ours, theirs] = await Promise.all([countBy(table, source), countBy(table, target)]);
    counts[table.name] = ours.values().reduce((sum, n) => sum + n, 0);
    for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
      const [project = '', month = ''] = key.split(' ');
      const [source_, target_] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
      if (source_ === target_) continue;
      differences.push({ table: table.name, projectId: Number(project), month, source: source_, target: target_ });
    }
  }
  return { tables: counts, differences };
}

async function countBy({ name, isPlain, columns }: CopiedTable, events: Events): Promise<Map<string, number>> {
  const age = tableRecords[name]?.age;
  const project = columns.includes('project_id') ? 'project_id' : '0';
  const month = isPlain && age !== undefined ? `toString(toYYYYMM(${age}))` : `''`;
  const rows = await events.query<{ project: number; month: string; n: number }>(
    `SELECT ${project} AS project, ${month} AS month, count() AS n FROM ${name}${isPlain ? '' : ' FINAL'}
     GROUP BY project, month`,
    {},
    { maxExecutionSeconds: 600 },
  );
  return new Map(rows.map(({ project: id, month: of, n }) => [`${id} ${of}`, n]));
}

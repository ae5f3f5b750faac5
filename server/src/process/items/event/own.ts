/** What the row of an event says beyond its payload, as a text of its own that lies beside the payload. */
import type { ErrorRow } from '../../../base/tables/errors.ts';

/** The columns that `saidColumns` does not give. The order is that of stored texts: what comes later is added at the end. */
export const ownColumns = [
  'project_id',
  'group_hash',
  'group_hashes',
  'grouping_version',
  'timestamp',
  'received_at',
  'event_id',
  'title',
  'culprit',
  'error_type',
  'error_value',
  'issue_type',
  'mechanism',
  'digest',
  'trace_id',
  'missing_scripts',
] as const satisfies readonly (keyof ErrorRow)[];

export type OwnColumns = Pick<ErrorRow, (typeof ownColumns)[number]>;

type ValuesOf<Names extends readonly (keyof ErrorRow)[]> = {
  readonly [Index in keyof Names]: ErrorRow[Names[Index]];
};
type OwnValues = ValuesOf<typeof ownColumns>;

export const ownText = (row: OwnColumns): string =>
  JSON.stringify([
    row.project_id,
    row.group_hash,
    row.group_hashes,
    row.grouping_version,
    row.timestamp,
    row.received_at,
    row.event_id,
    row.title,
    row.culprit,
    row.error_type,
    row.error_value,
    row.issue_type,
    row.mechanism,
    row.digest,
    row.trace_id,
    row.missing_scripts,
  ] satisfies OwnValues);

/** As its row has them. `text`: of `ownText`. */
export function readOwn(text: string): OwnColumns {
  const [
    project_id,
    group_hash,
    group_hashes,
    grouping_version,
    timestamp,
    received_at,
    event_id,
    title,
    culprit,
    error_type,
    error_value,
    issue_type,
    mechanism,
    digest,
    trace_id,
    missing_scripts,
  ] = JSON.parse(text, wellFormed) as OwnValues;
  return {
    project_id,
    group_hash,
    group_hashes,
    grouping_version,
    timestamp,
    received_at,
    event_id,
    title,
    culprit,
    error_type,
    error_value,
    issue_type,
    mechanism,
    digest,
    trace_id,
    missing_scripts,
  };
}

/** Half a pair of UTF-16 is in no column. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

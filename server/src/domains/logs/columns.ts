/** Columns of the logs table as queries name them, and rows as the rest of the program reads them. */
import { withoutColours } from '../../base/ansi.ts';
import type { LogLine } from './types.ts';

/**
 * No id is stored: it is made of the time, so that a log is found by its id without an index, and of a hash of what
 * the log says. Two logs of one µs that say the same in the same place have the same id, and are the same to any reader.
 */
export const idColumn = `concat(leftPad(lower(hex(toUnixTimestamp64Micro(timestamp))), 16, '0'),
  leftPad(lower(hex(sipHash64(project_id, sequence, trace_id, span_id, body))), 16, '0'))`;

export const lineColumns = `${idColumn} AS id, project_id, trace_id, span_id, toUnixTimestamp64Micro(timestamp) AS at_us,
  level, severity_number, body, service, environment, release`;

export interface LineColumns {
  readonly id: string;
  readonly project_id: number;
  readonly trace_id: string;
  readonly span_id: string;
  readonly at_us: number;
  readonly level: string;
  readonly severity_number: number;
  readonly body: string;
  readonly service: string;
  readonly environment: string;
  readonly release: string;
}

export const toLine = (row: LineColumns): LogLine => ({
  id: row.id,
  projectId: row.project_id,
  traceId: row.trace_id,
  spanId: row.span_id,
  atUs: row.at_us,
  level: row.level,
  severityNumber: row.severity_number,
  // Of those that were stored with colours.
  body: withoutColours(row.body),
  service: row.service,
  environment: row.environment,
  release: row.release,
});

/** A moment in µs since the epoch as a value of the column. */
export const microsecond = (name: string): string => `fromUnixTimestamp64Micro({${name}:Int64}, 'UTC')`;

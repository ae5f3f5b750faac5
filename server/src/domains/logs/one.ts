/** One log with all that is stored of it. Its id says when it was written. */
import type { Events } from '../../ports/events/events.ts';
import { inProjects, where } from '../../base/sql.ts';
import { idColumn, type LineColumns, lineColumns, microsecond, toLine } from './columns.ts';
import type { LogDetails } from './types.ts';

interface DetailColumns extends LineColumns {
  readonly observed_us: number;
  readonly received_ms: number;
  readonly origin: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  readonly remarks: string;
}

/** Undefined for what is no id, and for one that no log of the projects has. */
export async function findLog(
  events: Events,
  projectIds: readonly number[],
  id: string,
): Promise<LogDetails | undefined> {
  const atUs = /^[0-9a-f]{32}$/.test(id) ? Number.parseInt(id.slice(0, 16), 16) : Number.NaN;
  if (!Number.isSafeInteger(atUs) || !projectIds.length) return undefined;
  const scope = where(inProjects(projectIds), {
    conditions: [`timestamp = ${microsecond('at')}`, `${idColumn} = {id:String}`],
    params: { at: atUs, id },
  });
  const [row] = await events.query<DetailColumns>(
    `SELECT ${lineColumns}, toUnixTimestamp64Micro(observed_at) AS observed_us, toUnixTimestamp64Milli(received_at) AS received_ms,
       origin, sdk_name, sdk_version, attributes, numbers, remarks
     FROM logs WHERE ${scope.sql} LIMIT 1`,
    scope.params,
  );
  if (!row) return undefined;
  const { origin, attributes, numbers, remarks } = row;
  return {
    ...toLine(row),
    observedUs: row.observed_us,
    receivedAt: row.received_ms,
    origin,
    sdkName: row.sdk_name,
    sdkVersion: row.sdk_version,
    attributes,
    numbers,
    remarks,
  };
}

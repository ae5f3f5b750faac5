/** Events and spans one by one, as they are stored. */
import type { Events } from '../../ports/events/events.ts';
import { type SqlPart, where } from '../../base/sql.ts';
import { createBinder } from '../search/index.ts';
import type { StoredRow } from './cells.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { type IssueTerms } from './issue-terms.ts';
import { hashOfRow } from './row-hash.ts';
import { sourceOf } from './sources.ts';
import { isIssue, orderBy, queryOptions, sqlOf } from './sql.ts';
import type { TableQuestion } from './types.ts';

/** Columns are `f0`, `f1`, …; each row has these as well. */
export interface StoredEvent extends StoredRow {
  readonly rowId: string;
  readonly rowProject: number;
  /** µs since the epoch. */
  readonly rowTime: number;
}

/** Behind a row, newest first. */
export interface RowPlace {
  readonly timeUs: number;
  readonly id: string;
}

export interface RowPage {
  readonly limit: number;
  readonly offset: number;
  /** Of rows by time alone. */
  readonly after?: RowPlace | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

/** How much of the range is looked at first: the newest of what there is much of lies there. */
const firstPart = 1 / 50;
const shortMs = 3_600_000;

export async function readEvents(
  events: Events,
  question: TableQuestion,
  issueTerms: IssueTerms,
  page: RowPage,
): Promise<StoredEvent[]> {
  const { range } = question;
  const lengthMs = range.endMs - range.startMs;
  if (!question.sort.length && page.offset === 0 && !page.after && lengthMs > shortMs) {
    const part = { ...range, startMs: range.endMs - lengthMs * firstPart };
    const newest = await read(events, { ...question, range: part }, issueTerms, page);
    if (newest.length >= page.limit) return newest;
  }
  return read(events, question, issueTerms, page);
}

function read(
  events: Events,
  question: TableQuestion,
  issueTerms: IssueTerms,
  { limit, offset, after, signal, maxSeconds }: RowPage,
): Promise<StoredEvent[]> {
  const { columns, sort, dataSet, query } = question;
  const { params, bind } = createBinder('asked');
  const source = sourceOf(
    dataSet,
    columnsRead(
      query.rows,
      [...columns, ...sort].map(({ field }) => field),
    ),
  );
  const { timeColumn, idColumn } = source;
  const behind: SqlPart = after
    ? {
        conditions: [
          `${timeColumn} <= ${placeMoment}`,
          `(${timeColumn} < ${placeMoment} OR ${idColumn} > {placeId:String})`,
        ],
        params: { placeUs: after.timeUs, placeId: after.id },
      }
    : { conditions: [], params: {} };
  const scope = where(conditionsOf(question, source, query.rows, issueTerms), behind);
  const selected = columns.map(({ field }, index) => {
    const sql = isIssue(field) ? hashOfRow : sqlOf(field, question, bind);
    return `${sql} AS f${index}`;
  });
  const order = sort.map((one) => orderBy(one, sqlOf(one.field, question, bind)));
  return events.query<StoredEvent>(
    `SELECT ${[...selected, `${idColumn} AS rowId`, 'project_id AS rowProject', `toUnixTimestamp64Micro(${timeColumn}) AS rowTime`].join(', ')}
     FROM ${source.table} WHERE ${scope.sql}
     ORDER BY ${[...order, `${timeColumn} DESC`, idColumn].join(', ')}
     LIMIT {rowLimit:UInt32} OFFSET {rowOffset:UInt32}`,
    { ...scope.params, ...params, rowLimit: limit, rowOffset: offset },
    queryOptions(signal, maxSeconds),
  );
}

const placeMoment = `fromUnixTimestamp64Micro({placeUs:Int64}, 'UTC')`;

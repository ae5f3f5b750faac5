/** The issues of a filled store: rows of the state store as the program writes them, one for each group. */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Culprit } from './culprit.ts';

interface GroupRow {
  readonly group_hash: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly error_type: string;
  readonly error_value: string;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly first_release: string;
  readonly last_release: string;
  readonly event_id: string;
}

type Row = Record<string, SQLInputValue>;

/** Rows in one transaction: long enough to be fast, short enough for the program to write in between. */
const rowsPerTransaction = 5000;

/** Makes an issue of every group that has none. Resolves to how many there are then. */
export async function fillIssues(culprit: Culprit, dataDir: string, progress: (line: string) => void): Promise<number> {
  const database = new DatabaseSync(join(dataDir, 'state.db'), { timeout: 10_000 });
  try {
    const issue = database.prepare('SELECT * FROM issue ORDER BY id LIMIT 1').get() as Row | undefined;
    const hash = database.prepare('SELECT * FROM issue_hash WHERE issue_id = ? LIMIT 1').get(issue?.id ?? null) as
      | Row
      | undefined;
    if (!issue || !hash) throw new Error('the template has no issue');
    const known = new Set(
      database
        .prepare('SELECT hash FROM issue_hash')
        .all()
        .map((row) => String(row.hash)),
    );
    let next = Number(issue.number) + 1;
    let made = 0;
    for (const digit of '0123456789abcdef') {
      const groups = (await culprit.engine<GroupRow>(groupsSql(digit))).filter((group) => !known.has(group.group_hash));
      for (let start = 0; start < groups.length; start += rowsPerTransaction) {
        database.exec('BEGIN IMMEDIATE');
        for (const group of groups.slice(start, start + rowsPerTransaction))
          insertIssue(database, { issue, hash, number: next++, group });
        database.exec('COMMIT');
      }
      made += groups.length;
      progress(`${made.toLocaleString('en-US')} issues`);
    }
    database.prepare('UPDATE project SET next_issue_number = ? WHERE id = ?').run(next, issue.project_id ?? null);
    return made;
  } finally {
    database.close();
  }
}

/** The groups whose hash begins with a digit: a sixteenth of them, one stretch of the primary key. */
function groupsSql(digit: string): string {
  return `SELECT group_hash, any(title) AS title, any(errors.culprit) AS culprit, any(level) AS level, any(error_type) AS error_type,
      any(error_value) AS error_value, toUnixTimestamp64Milli(min(timestamp)) AS first_ms, toUnixTimestamp64Milli(max(timestamp)) AS last_ms,
      argMin(release, timestamp) AS first_release, argMax(release, timestamp) AS last_release, any(event_id) AS event_id
    FROM errors WHERE startsWith(group_hash, '${digit}') GROUP BY group_hash`;
}

interface NewIssue {
  readonly issue: Row;
  readonly hash: Row;
  readonly number: number;
  readonly group: GroupRow;
}

/** Of ten issues seven are unresolved, two resolved, one archived. */
export function statusOf(number: number): {
  status: string;
  substatus: string | null;
  status_changed_at: number | null;
} {
  const kind = number % 10;
  if (kind < 7) return { status: 'unresolved', substatus: kind < 3 ? 'new' : 'ongoing', status_changed_at: null };
  return { status: kind === 9 ? 'archived' : 'resolved', substatus: null, status_changed_at: Date.now() };
}

function insertIssue(database: DatabaseSync, { issue, hash, number, group }: NewIssue): void {
  const { id: _id, ...template } = issue;
  const row: Row = {
    ...template,
    ...statusOf(number),
    number,
    level: group.level,
    title: group.title,
    culprit: group.culprit,
    metadata: JSON.stringify({
      ...(JSON.parse(String(issue.metadata)) as object),
      type: group.error_type,
      value: group.error_value,
    }),
    first_seen: group.first_ms,
    last_seen: group.last_ms,
    first_release: group.first_release,
    last_release: group.last_release,
  };
  const { lastInsertRowid } = insert(database, 'issue', row);
  insert(database, 'issue_hash', {
    ...hash,
    hash: group.group_hash,
    issue_id: lastInsertRowid,
    first_event_id: group.event_id,
  });
}

function insert(database: DatabaseSync, table: string, row: Row): { lastInsertRowid: number | bigint } {
  const columns = Object.keys(row);
  return database
    .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
    .run(...Object.values(row));
}

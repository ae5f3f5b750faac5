/**
 * Texts of events that the state store has: titles of issues, explanations of hashes, messages that were sent, searches,
 * what people wrote. Rows stay, the person's values in them are written over. Feedback goes as a whole.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../base/chunks.ts';
import { createFinder, type Finder, type SoughtText } from '../../base/sought-text.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { State } from '../../ports/state/state.ts';
import type { About } from './person.ts';

export interface StateScope {
  readonly organizationId: string;
  readonly projectIds: readonly number[];
}

/** Who members are and how they come in; what cannot be changed; work of the installation. */
const kept = new Set(
  `user account session verification twoFactor passkey organization member invitation invite api_token account_link
  user_preference session_policy organization_setting installation_owner notification_setting mail_opt_out saml_answer
  sign_in_domain sign_in_flow sign_in_identity sign_in_mapping sign_in_policy sign_in_provider sign_in_attempt scim_token
  scim_user scim_group scim_group_member commit commit_file repository audit_entry audit_log audit_stream migration job node
  setting deletion erasure project_hold project_retention backup_run team team_member team_project project project_key project_alias channel
  mirror preview disk_sample disk_report rate_window feedback`.split(/\s+/),
);

interface TextColumn {
  readonly table: string;
  readonly column: string;
  /** The column by which it is told whose a row is. */
  readonly by: 'project_id' | 'organization_id' | 'issue_id';
}

async function textColumns({ db, capabilities }: State): Promise<TextColumn[]> {
  const { rows } =
    capabilities.dialect === 'sqlite'
      ? await sql<{ table: string; column: string; type: string }>`
          select m.name as "table", c.name as "column", lower(c.type) as type
          from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' order by 1, c.cid`.execute(db)
      : await sql<{ table: string; column: string; type: string }>`
          select table_name as "table", column_name as "column", data_type as type from information_schema.columns
          where table_schema = current_schema() order by table_name, ordinal_position`.execute(db);
  return [...Map.groupBy(rows, (row) => row.table)].flatMap(([table, columns]) => {
    const by = (['project_id', 'organization_id', 'issue_id'] as const).find((name) =>
      columns.some(({ column }) => column === name),
    );
    if (kept.has(table) || !by) return [];
    return columns
      .filter(({ type, column }) => type === 'text' && column !== by)
      .map(({ column }) => ({ table, column, by }));
  });
}

const scopeOf = ({ by, table }: Pick<TextColumn, 'by' | 'table'>, { organizationId, projectIds }: StateScope) => {
  const ids = sql.join(projectIds.length > 0 ? projectIds : [-1]);
  // Some tell of no project.
  if (table === 'webhook_delivery')
    return sql`(project_id in (${ids}) or project_id is null
      and webhook_id in (select id from webhook where organization_id = ${organizationId}))`;
  if (by === 'project_id') return sql`project_id in (${ids})`;
  if (by === 'organization_id') return sql`organization_id = ${organizationId}`;
  return sql`issue_id in (select id from issue where project_id in (${ids}))`;
};

const valuesAtOnce = 500;

const likeOf = (form: string): string => `%${form.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** SQLite's `like` knows no case of letters from A to Z. */
export const likely = ({ capabilities }: Pick<State, 'capabilities'>, column: string, sought: readonly SoughtText[]) =>
  sql.join(
    sought
      .flatMap(({ forms }) => forms)
      .map((form) =>
        capabilities.dialect === 'postgres'
          ? sql`${sql.ref(column)} ilike ${likeOf(form)} escape '\\'`
          : sql`${sql.ref(column)} like ${likeOf(form)} escape '\\'`,
      ),
    sql` or `,
  );

async function* valuesWith(
  state: State,
  place: TextColumn,
  scope: StateScope,
  sought: readonly SoughtText[],
  finder: Finder,
): AsyncGenerator<string> {
  const column = sql.ref(place.column);
  let last: string | undefined;
  for (;;) {
    const { rows } = await sql<{ value: string }>`
      select distinct ${column} as value from ${sql.table(place.table)}
      where (${likely(state, place.column, sought)}) and ${scopeOf(place, scope)}
        ${last === undefined ? sql`` : sql`and ${column} > ${last}`}
      order by 1 limit ${valuesAtOnce}`.execute(state.db);
    for (const { value } of rows) if (finder.isInText(value)) yield value;
    if (rows.length < valuesAtOnce) return;
    last = rows.at(-1)?.value;
  }
}

/** Texts that name the person, by table. */
export async function countTexts(
  state: State,
  scope: StateScope,
  sought: readonly SoughtText[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if (sought.length === 0) return counts;
  const finder = createFinder(sought);
  for (const place of await textColumns(state)) {
    for await (const _ of valuesWith(state, place, scope, sought, finder))
      counts[place.table] = (counts[place.table] ?? 0) + 1;
  }
  return counts;
}

/** Resolves to how many texts were changed, by table. */
export async function maskTexts(
  state: State,
  scope: StateScope,
  sought: readonly SoughtText[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if (sought.length === 0) return counts;
  const finder = createFinder(sought);
  for (const place of await textColumns(state)) {
    const { table, column } = place;
    for await (const value of valuesWith(state, place, scope, sought, finder)) {
      signal.throwIfAborted();
      const set = (to: string) =>
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to}
          where ${sql.ref(column)} = ${value} and ${scopeOf(place, scope)}`.execute(state.db);
      try {
        await set(finder.replaced(value, texts.instead));
      } catch {
        // A key that another row has already: numbered, it is one of its own.
        await set(`${finder.replaced(value, texts.instead)} ${crypto.randomUUID()}`);
      }
      counts[table] = (counts[table] ?? 0) + 1;
    }
  }
  return counts;
}

interface FeedbackFound {
  readonly id: number;
  readonly project: number;
  readonly event: string;
}

const feedbackTexts = ['message', 'name', 'email', 'url', 'details'] as const;

/** What the person wrote, or what names them. */
export async function findFeedback(
  state: State,
  { projectIds }: StateScope,
  about: About,
  sought: readonly SoughtText[],
): Promise<FeedbackFound[]> {
  if (projectIds.length === 0) return [];
  const finder = createFinder(sought);
  const valuesOf = (kind: string): string[] =>
    about.person.filter((one) => one.kind === kind).map(({ value }) => value.toLowerCase());
  const [mails, names] = [valuesOf('email'), valuesOf('name')];
  const isOwn = [
    ...(mails.length > 0 ? [sql`lower(email) in (${sql.join(mails)})`] : []),
    ...(names.length > 0 ? [sql`lower(name) in (${sql.join(names)})`] : []),
    ...(about.event ? [sql`event_id = ${about.event.eventId} or feedback_id = ${about.event.eventId}`] : []),
    ...(sought.length > 0 ? feedbackTexts.map((column) => likely(state, column, sought)) : []),
  ];
  if (isOwn.length === 0) return [];
  const { rows } = await sql<Record<(typeof feedbackTexts)[number], string> & FeedbackFound>`
    select id, project_id as project, feedback_id as event, message, name, email, url, details from feedback
    where project_id in (${sql.join(projectIds)}) and (${sql.join(isOwn, sql` or `)}) order by id`.execute(state.db);
  const isTheirs = (row: (typeof rows)[number]): boolean =>
    about.event !== undefined ||
    mails.includes(row.email.toLowerCase()) ||
    names.includes(row.name.toLowerCase()) ||
    feedbackTexts.some((column) => finder.isInText(row[column]));
  return rows.filter(isTheirs).map(({ id, project, event }) => ({ id: Number(id), project: Number(project), event }));
}

export async function removeFeedback({ db }: State, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids, 500)) await db.deleteFrom('feedback').where('id', 'in', chunk).execute();
}

/** Entries of the audit log that name the person: it cannot be changed. */
export async function countAudit(
  state: State,
  { organizationId }: StateScope,
  sought: readonly SoughtText[],
): Promise<number> {
  if (sought.length === 0) return 0;
  const { rows } = await sql<{ content: string }>`
    select content from audit_entry where organization_id = ${organizationId} and (${likely(state, 'content', sought)})
    limit 10000`.execute(state.db);
  const finder = createFinder(sought);
  return rows.filter(({ content }) => finder.isInText(content)).length;
}

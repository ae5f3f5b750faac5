/** What is asked of a data directory that an earlier version wrote: the same questions when it is recorded and ever after. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DataDirManifest, Facts, Json } from '../../../fixtures/data-dirs/index.ts';
import type { Server } from '../harness.ts';

export type Asked = Pick<DataDirManifest, 'organization' | 'projects' | 'tokens' | 'recordedAt' | 'paths'>;

/** What is counted is what was sent, however far the engine has merged it. */
const counts: Readonly<Record<string, string>> = {
  errors: 'count()',
  revisions: 'uniqExact(event_id)',
  spans: 'count()',
  segments: 'uniqExact(span_id)',
  logs: 'count()',
  items: 'count()',
  outcomes: 'sum(quantity)',
  sessions: 'uniqExact(session)',
  issue_hours: 'sum(events)',
};

/** Tables whose rows only people and events change, not time. */
const stateTables = `user account organization member team team_member team_project invite api_token project project_key
  notification_setting channel alert_rule alert_firing issue issue_hash issue_alias issue_words issue_merge
  issue_apart issue_activity issue_own issue_bookmark issue_share issue_subscription issue_commit hash_signature
  tombstone twin release release_commit release_environment deploy commit repository code_mapping
  artifact_bundle artifact_bundle_project artifact artifact_lookup ownership codeowners saved_search
  saved_search_pin recent_search digest_watch data_export feedback`.split(/\s+/);

/** Pages of what the program offers, whatever the directory holds: versions of grouping, keys of a search, attributes. */
export const ofProgram = /\/(?:grouping-configs|organizations\/[\w-]+\/(?:tags|trace-items\/attributes))\/(?:\?|$)/;

export async function collectFacts(server: Server, asked: Asked): Promise<Facts> {
  return { ...(await collectContents(server, asked)), pages: await collectPages(server, asked) };
}

/** All but the pages, which cost most. */
export async function collectContents(server: Server, asked: Asked): Promise<Omit<Facts, 'pages'>> {
  return {
    rows: await rowsOf(server),
    state: stateOf(server),
    issues: await issuesOf(server, asked),
    attachments: await attachmentsOf(server, asked),
  };
}

export async function ask(server: Server, path: string, token: string): Promise<Response> {
  return fetch(`${server.url}/api/0${path}`, { headers: { authorization: `Bearer ${token}` } });
}

async function rowsOf(server: Server): Promise<Facts['rows']> {
  await using events = await server.events();
  const found: Record<string, Record<string, number>> = {};
  for (const [table, count] of Object.entries(counts)) {
    const rows = await events.query<{ project_id: number; n: number | string }>(
      `SELECT project_id, ${count} AS n FROM ${table} GROUP BY project_id ORDER BY project_id`,
    );
    found[table] = Object.fromEntries(rows.map(({ project_id, n }) => [project_id, Number(n)]));
  }
  return found;
}

function stateOf(server: Server): Facts['state'] {
  const database = new DatabaseSync(join(server.dataDir, 'state.db'), { readOnly: true });
  try {
    const there = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = new Set(there.map(({ name }) => String(name)));
    return Object.fromEntries(
      stateTables
        .filter((table) => names.has(table))
        .map((table) => [table, Number(database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n)]),
    );
  } finally {
    database.close();
  }
}

async function read<T>(server: Server, path: string, token: string): Promise<T> {
  const response = await ask(server, path, token);
  if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

interface Issue {
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly count: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly assignedTo: { readonly type: string; readonly name: string } | null;
}

const everything = '?query=&statsPeriod=90d&limit=100';

async function issuesOf(server: Server, { organization, tokens }: Asked): Promise<Json[]> {
  const issues = await read<Issue[]>(server, `/organizations/${organization}/issues/${everything}`, tokens.owner);
  return issues
    .map(({ shortId, title, count, status, substatus, assignedTo }) => ({
      shortId,
      title,
      count,
      status,
      substatus,
      assignedTo: assignedTo && `${assignedTo.type} ${assignedTo.name}`,
    }))
    .toSorted((a, b) => a.shortId.localeCompare(b.shortId));
}

interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

async function attachmentsOf(server: Server, { organization, projects, tokens }: Asked): Promise<Json[]> {
  await using events = await server.events();
  const owners = await events.query<{ project: string; event: string }>(
    "SELECT DISTINCT toString(project_id) AS project, event_id AS event FROM items WHERE item_type = 'attachment'",
  );
  const found: Json[] = [];
  for (const { project, event } of owners) {
    const slug = projects.find(({ id }) => id === project)?.slug ?? project;
    const path = `/projects/${organization}/${slug}/events/${event}/attachments/`;
    for (const { id, name, size } of await read<Attachment[]>(server, path, tokens.owner)) {
      const content = await ask(server, `${path}${id}/?download=1`, tokens.owner);
      const sha1 = createHash('sha1')
        .update(Buffer.from(await content.arrayBuffer()))
        .digest('hex');
      found.push({ project: slug, event, name, size, sha1 });
    }
  }
  return found.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

export async function collectPages(
  server: Server,
  { paths, tokens, recordedAt }: Asked,
): Promise<Record<string, Json>> {
  const found: Record<string, Json> = {};
  for (const path of paths) {
    const response = await ask(server, path, tokens.owner);
    const body = await response.text();
    found[path] =
      response.status === 200 ? gistOf(parsed(body), recordedAt) : `${response.status}: ${body.slice(0, 500)}`;
  }
  return found;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text.slice(0, 200);
  }
}

/** What a reader recognises a thing by. Addresses, shares of a range and what is made up at each call are left out. */
const telling = new Set(
  `id shortId title culprit level status substatus type category name slug email role version shortVersion platform environment
   count userCount firstSeen lastSeen dateCreated eventID groupID event_id message value filename function lineNo inApp transaction op
   description trace_id span_id span_status query dataset key text state priority numComments assignedTo handle scopes data entries values
   frames stacktrace exception tags user contexts request releases projects commits children spans errors logs sentence conditions metric
   merges issues rows events bundles files artifacts rules raw mapped unresolved symbolication groups body severity
   feedback totals outcome reason ruleName why checksum size sizeBytes fileCount sha1 bundleId aggregate digest isPublic shareId expired pending comments attachments metadata`.split(
    /\s+/,
  ),
);
const shownOfList = 4;

const date = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A large answer by its beginning and its length; nothing of what came to pass after `recordedAt`, which differs each time. */
function gistOf(value: Json, recordedAt: number, key = ''): Json {
  if (Array.isArray(value)) {
    const first = value.slice(0, shownOfList).map((one: Json) => gistOf(one, recordedAt, key));
    return { length: value.length, first };
  }
  if (typeof value === 'string') return value.length > 300 ? `${value.slice(0, 300)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  const isLater = (one: Json): boolean => typeof one === 'string' && date.test(one) && Date.parse(one) > recordedAt;
  // Of a rule: what the last look found.
  const isLook = (name: string, one: Json): boolean => name === 'value' && typeof one === 'number';
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, one]) =>
          (telling.has(name) || key === 'tags' || key === 'contexts') && !isLater(one) && !isLook(name, one),
      )
      .map(([name, one]) => [name, gistOf(one, recordedAt, name)]),
  );
}

/** Without what is said to people: their words may change from version to version, what they are about may not. */
export function withoutSentences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSentences);
  if (typeof value !== 'object' || value === null) return value;
  const isSentence = (name: string, one: Json | undefined): boolean =>
    name === 'sentence' ||
    name === 'why' ||
    (name === 'title' && 'why' in value) ||
    (name === 'description' && 'key' in value) ||
    (name === 'reason' && typeof one === 'string' && one.includes(' '));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !isSentence(name, one))
      .map(([name, one]) => [name, withoutSentences(one)]),
  );
}

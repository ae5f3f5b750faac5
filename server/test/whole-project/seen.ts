/** What people see of a project, and how much of it is stored. */
import type { Server } from '../harness.ts';

type Json = Readonly<Record<string, unknown>>;

const without = (record: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

export interface SeenIssue {
  readonly count: string;
  readonly comments: readonly string[];
}

export async function seenIssues(server: Server, slug: string): Promise<Record<string, SeenIssue & Json>> {
  const list = await server.api<readonly Json[]>(`/projects/acme/${slug}/issues/?query=&limit=100&statsPeriod=14d`);
  const comments = await Promise.all(
    list.map((one) => server.api<readonly { data: { text: string } }[]>(`/issues/${String(one['id'])}/comments/`)),
  );
  return Object.fromEntries(
    list.map((one, index) => [
      String(one['title']),
      {
        count: String(one['count']),
        users: one['userCount'],
        status: one['status'],
        firstSeen: one['firstSeen'],
        lastSeen: one['lastSeen'],
        assignee: (one['assignedTo'] as { email?: string } | null)?.email,
        number: String(one['shortId']).split('-').at(-1),
        comments: comments[index]?.map(({ data }) => data.text) ?? [],
      },
    ]),
  );
}

/** Ids differ from one installation to another, and are left out. */
export async function seenProject(server: Server, slug: string, id: number) {
  const project = `/projects/acme/${slug}`;
  const logs = await server.api<readonly { id: string }[]>(`/organizations/acme/logs/?project=${id}&sort=timestamp`);
  const [details, rules, searches, bundles, debugFiles, ownership, releases] = await Promise.all([
    Promise.all(logs.map((log) => server.api<Json>(`/organizations/acme/logs/${log.id}/?project=${id}`))),
    server.api<readonly Json[]>(`/organizations/acme/alert-rules/?project=${slug}`),
    server.api<readonly Json[]>('/organizations/acme/searches/'),
    server.api<readonly Json[]>(`${project}/files/artifact-bundles/`),
    server.api<readonly Json[]>(`${project}/files/dsyms/`),
    server.api<{ raw: string }>(`${project}/ownership/`),
    server.api<readonly { version: string }[]>(`${project}/releases/`),
  ]);
  const dates = ['dateCreated', 'dateUpdated', 'stateSince', 'createdBy'];
  return {
    logs: details.map((log) => without(log, 'id', 'projectId')),
    rules: rules.map((rule) => without(rule, 'id', 'projectIds', 'sentence', ...dates)),
    searches: searches.map((search) => without(search, 'id', 'owner', 'dateCreated')),
    bundles: bundles.map((bundle) => without(bundle, 'id', 'bundleId', 'lastUsedAt')),
    debugFiles: debugFiles.map((file) => without(file, 'id', 'lastUsedAt')),
    ownership: ownership.raw,
    releases: releases.map(({ version }) => version),
  };
}

/** Of each frame of an event's error: where it is, as far as is known. */
export async function seenFrames(server: Server, slug: string, eventId: string): Promise<readonly string[]> {
  const { entries } = await server.api<{
    entries: readonly { type: string; data: { values?: readonly { stacktrace?: { frames: Json[] } }[] } }[];
  }>(`/projects/acme/${slug}/events/${eventId}/`);
  const frames = entries.find(({ type }) => type === 'exception')?.data.values?.[0]?.stacktrace?.frames ?? [];
  return frames.map((frame) => `${String(frame['filename'])}:${String(frame['function'])}:${String(frame['lineNo'])}`);
}

/** Rows by table, and what views make of them. */
export async function rowsOf(server: Server, projectId: number): Promise<Record<string, number>> {
  await using events = await server.events();
  const counts = ['errors', 'spans', 'logs', 'items', 'segments'].map(
    (table) => `(SELECT count() FROM ${table} WHERE project_id = ${projectId}) AS ${table}`,
  );
  const [found] = await events.query<Record<string, number>>(
    `SELECT ${counts.join(', ')},
       (SELECT sum(events) FROM issue_hours WHERE project_id = ${projectId}) AS hours,
       (SELECT uniqExact(session) FROM sessions WHERE project_id = ${projectId}) AS sessions,
       (SELECT sum(quantity) FROM outcomes WHERE project_id = ${projectId} AND outcome = 'accepted') AS outcomes`,
  );
  return found ?? {};
}

/** The events of a project here, and the issues that they are in. */
import { chunksOf } from '../../base/chunks.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { hashKey, type IssueRow, issuesOfHashes } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import type { Issue } from './groups.ts';

export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface Ours {
  /** The newest events of each issue, by id. */
  newest(span: Span, perIssue: number, limit: number): Promise<Map<string, Issue>>;
  /** Those of these ids that are here. */
  find(ids: readonly string[]): Promise<Map<string, Issue>>;
}

type Row = { readonly eventId: string; readonly hash: string };

export function readOurs(
  { state, events }: { readonly state: State; readonly events: Events },
  project: Project,
  url: string,
): Ours {
  const shown = ({ id, number, title }: IssueRow): Issue => {
    const shortId = `${project.shortIdPrefix}-${number}`;
    return { id: String(id), shortId, title, url: `${url}/issues/${encodeURIComponent(shortId)}` };
  };
  const issuesOf = async (rows: readonly Row[]): Promise<Map<string, Issue>> => {
    const projectId = project.id;
    const owners = await issuesOfHashes(
      state,
      rows.map(({ hash }) => ({ projectId, hash })),
    );
    return new Map(
      rows.flatMap(({ eventId, hash }) => {
        const issue = owners.get(hashKey(projectId, hash));
        return issue ? [[eventId, shown(issue)] as const] : [];
      }),
    );
  };
  return {
    async newest({ sinceMs, untilMs }, perIssue, limit) {
      const rows = await events.query<Row>(
        `SELECT event_id AS eventId, group_hash AS hash FROM errors
         WHERE project_id = {project:UInt32} AND issue_type = ''
           AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
           AND timestamp < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
         ORDER BY timestamp DESC LIMIT {each:UInt32} BY group_hash LIMIT {limit:UInt32}`,
        { project: project.id, since: sinceMs, until: untilMs, each: perIssue, limit },
      );
      return issuesOf(rows);
    },
    async find(ids) {
      const found = new Map<string, Issue>();
      for (const chunk of chunksOf([...ids], 500)) {
        const rows = await events.query<Row>(
          `SELECT event_id AS eventId, group_hash AS hash FROM errors
           WHERE project_id = {project:UInt32} AND event_id IN {ids:Array(String)} LIMIT 1 BY event_id`,
          { project: project.id, ids: chunk },
        );
        for (const [id, issue] of await issuesOf(rows)) found.set(id, issue);
      }
      return found;
    },
  };
}

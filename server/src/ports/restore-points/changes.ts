/** What a downgrade takes back that no event brings again: what people and builds have done since. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Changes {
  /** Done to issues by people, comments among them. */
  readonly issues: number;
  /** Settings, members, keys, rules and the like: entries of the audit log. */
  readonly settings: number;
  /** Of issues and projects: they are back. */
  readonly deletions: number;
  /** Bundles of builds. */
  readonly uploads: number;
}

const deletion = `(action = 'issue.delete' or action = 'project.delete')`;
const reading = `action like 'sign_in.%' or action like 'audit_log.%' or action like '%.read' or action like '%.open'`;

/** By table, what is counted; a version may not have it. */
const questions: Readonly<Record<keyof Changes, readonly [table: string, where: string]>> = {
  issues: ['issue_activity', 'created_at > ? and user_id is not null'],
  settings: ['audit_entry', `at > ? and actor like 'user:%' and not ${deletion} and not (${reading})`],
  deletions: ['audit_entry', `at > ? and ${deletion}`],
  uploads: ['artifact_bundle', 'created_at > ?'],
};

export function changesSince(dataDir: string, at: number): Changes {
  const path = join(dataDir, 'state.db');
  const counts = { issues: 0, settings: 0, deletions: 0, uploads: 0 };
  if (!existsSync(path)) return counts;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const found = database.prepare(`select name from sqlite_master where type = 'table'`).all();
    const tables = new Set(found.map(({ name }) => String(name)));
    for (const name of ['issues', 'settings', 'deletions', 'uploads'] as const) {
      const [table, where] = questions[name];
      if (!tables.has(table)) continue;
      counts[name] = Number(database.prepare(`select count(*) as n from ${table} where ${where}`).get(at)?.['n']);
    }
    return counts;
  } finally {
    database.close();
  }
}

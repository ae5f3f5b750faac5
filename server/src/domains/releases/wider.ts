import { sql } from 'kysely';

/** Widens the times of a row. `case` because the two-argument minimum has a different name on each database. */
export function wider(table: 'release_project' | 'release_environment') {
  const [first, last] = [sql.ref(`${table}.first_seen`), sql.ref(`${table}.last_seen`)];
  return {
    first_seen: sql<number>`case when ${first} <= excluded.first_seen then ${first} else excluded.first_seen end`,
    last_seen: sql<number>`case when ${last} >= excluded.last_seen then ${last} else excluded.last_seen end`,
  };
}

/** Rows that stand for events beyond the limit of their issue. */
import { type Weight, plus } from './decide.ts';

interface Standing {
  readonly stands_for?: number | undefined;
  readonly sampled_users?: readonly string[] | undefined;
}

export function standingFor<Row extends Standing>(row: Row, added: Weight | undefined): Row {
  if (!added) return row;
  const { events, users } = plus({ events: row.stands_for ?? 0, users: row.sampled_users ?? [] }, added);
  return { ...row, stands_for: events, sampled_users: users };
}

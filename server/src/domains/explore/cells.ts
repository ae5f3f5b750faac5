/** Values as the events store gives them, as answers have them. */
import type { Field } from '@culprit/search';
import { hashKey, type IssueRow } from '../issues/index.ts';
import { readHashOfRow } from './row-hash.ts';
import type { Cell, ExploreProject } from './types.ts';

export interface CellPlace {
  readonly projects: ReadonlyMap<number, ExploreProject & { readonly shortIdPrefix: string }>;
  /** By `hashKey`. */
  readonly issues: ReadonlyMap<string, IssueRow>;
}

export type Stored = string | number | boolean | null | readonly (string | number)[];

export type StoredRow = Readonly<Record<string, Stored>>;

export function toCell(field: Field, value: Stored, { projects, issues }: CellPlace): Cell {
  if (value === null) return null;
  if (field.kind === 'key') {
    const { place } = field.key;
    if (place.kind === 'project') {
      return place.by === 'id' ? Number(value) : (projects.get(Number(value))?.slug ?? '');
    }
    if (place.kind === 'issue') {
      const { projectId, hash } = readHashOfRow(String(value));
      const issue = issues.get(hashKey(projectId, hash));
      if (!issue) return null;
      if (place.field === 'id') return issue.id;
      const prefix = projects.get(projectId)?.shortIdPrefix;
      return prefix === undefined ? null : `${prefix}-${issue.number}`;
    }
  }
  if (field.type === 'date') return toTime(value);
  if (field.type === 'boolean' && typeof value === 'number') return value === 1;
  return value;
}

/** ISO 8601 from ClickHouse's text in UTC, or from ms since the epoch; null for none. */
function toTime(value: Stored): Cell {
  if (typeof value === 'number') return value > 0 ? new Date(value).toISOString() : null;
  const text = String(value);
  const iso = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`;
  // What no row had is the epoch.
  return iso.startsWith('1970-01-01T00:00:00') ? null : iso;
}

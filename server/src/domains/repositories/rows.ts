import type { Selectable } from 'kysely';
import type { RepositoryTable } from '../../ports/state/release-tables.ts';
import type { Repository } from './types.ts';

export const toRepository = (row: Selectable<RepositoryTable>): Repository => ({
  id: row.id,
  name: row.name,
  provider: row.provider,
  url: row.url,
  linkTemplate: row.link_template,
  defaultBranch: row.default_branch,
  isConfigured: row.is_configured === 1,
  createdAt: row.created_at,
});

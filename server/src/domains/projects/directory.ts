/** What ingestion and processing ask for with every request, answered from memory. */
import type { ProjectSettings } from '../../process/types.ts';
import type { State } from '../../ports/state/state.ts';
import { listAliases } from './aliases.ts';
import { rateLimitOf } from './keys.ts';
import { createLookupCache } from './lookup-cache.ts';
import type { LookupCache } from './lookup-cache.ts';
import { parseSettings } from './settings.ts';
import type { RateLimit } from './types.ts';

export interface KeyEntry {
  readonly keyId: number;
  readonly projectId: number;
  readonly organizationId: string;
  readonly isActive: boolean;
  readonly rateLimit: RateLimit | null;
  readonly blobBytesPerDay: number | null;
  /** Ids that the project had elsewhere; its DSNs may say them. */
  readonly aliases: readonly string[];
  readonly settings: ProjectSettings;
  /** Whether the project has a mirror that is on. */
  readonly isMirrored: boolean;
}

/** Project keys by their public part. A change by another process is seen within seconds. */
export function createKeyDirectory({ state }: { state: State }): LookupCache<string, KeyEntry> {
  return createLookupCache({
    async load(publicKey): Promise<KeyEntry | undefined> {
      const row = await state.db
        .selectFrom('project_key')
        .innerJoin('project', 'project.id', 'project_key.project_id')
        .leftJoin('mirror', 'mirror.project_id', 'project_key.project_id')
        .select([
          'project_key.id as keyId',
          'project_key.project_id as projectId',
          'project.organization_id as organizationId',
          'project_key.is_active',
          'project_key.rate_limit_count',
          'project_key.rate_limit_window_seconds',
          'project_key.blob_bytes_per_day as blobBytesPerDay',
          'project.settings',
          'mirror.enabled as isMirrored',
        ])
        .where('project_key.public_key', '=', publicKey)
        .executeTakeFirst();
      if (!row) return undefined;
      const { keyId, projectId, organizationId, blobBytesPerDay } = row;
      return {
        keyId,
        projectId,
        organizationId,
        isActive: row.is_active === 1,
        rateLimit: rateLimitOf(row),
        blobBytesPerDay,
        aliases: await listAliases(state, projectId),
        settings: parseSettings(row.settings),
        isMirrored: row.isMirrored === 1,
      };
    },
  });
}

/** Settings of projects by id; undefined for a project that is gone. */
export function createProjectSettings({ state }: { state: State }): LookupCache<number, ProjectSettings> {
  // What is read again every few seconds stays the same object while it is the same: steps remember by it.
  const byText = new Map<string, ProjectSettings>();
  return createLookupCache({
    async load(projectId) {
      const text = await settingsText(state, projectId);
      if (text === undefined) return undefined;
      const known = byText.get(text);
      if (known) return known;
      const settings = parseSettings(text);
      if (byText.size >= maxByText) byText.clear();
      byText.set(text, settings);
      return settings;
    },
  });
}

const maxByText = 1_000;

/** Undefined for a project that is gone. */
export async function readSettings(state: State, projectId: number): Promise<ProjectSettings | undefined> {
  const text = await settingsText(state, projectId);
  return text === undefined ? undefined : parseSettings(text);
}

async function settingsText(state: State, projectId: number): Promise<string | undefined> {
  const row = await state.db.selectFrom('project').select('settings').where('id', '=', projectId).executeTakeFirst();
  return row?.settings;
}

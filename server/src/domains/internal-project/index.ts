/**
 * The project to which this installation reports its own failures, those of the server and those of the console: made
 * in the first organisation by whoever needs it first, found by the mark in its settings from then on.
 */
import type { InternalKey } from '../../base/self/index.ts';
import { createLookupCache, insertProject, listKeys, parseSettings } from '../projects/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { internalProject as name } from '../../base/texts/things.ts';

export interface InternalProject {
  /** Undefined when self-reporting is off, before there is an organisation, and when every key was disabled. */
  key(): Promise<InternalKey | undefined>;
  /** To be called after a change that may concern it, on any node. */
  invalidate(): void;
}

const slug = 'culprit';

export function createInternalProject({
  state,
  enabled,
}: {
  readonly state: State;
  readonly enabled: boolean;
}): InternalProject {
  const cache = createLookupCache<'internal', InternalKey>({
    async load() {
      const projectId = (await findInternalProject(state.db))?.id ?? (await makeProject(state));
      const key = projectId === undefined ? undefined : (await listKeys(state, projectId)).find((one) => one.isActive);
      return key && { projectId: key.projectId, publicKey: key.publicKey };
    },
  });
  return {
    key: async () => (enabled ? cache.lookup('internal') : undefined),
    invalidate: cache.invalidate,
  };
}

/** For whoever asks how it stands: `none` before it was made. */
export async function selfReportState(
  state: State,
): Promise<'none' | { readonly slug: string; readonly isActive: boolean }> {
  const found = await findInternalProject(state.db);
  if (!found) return 'none';
  return { slug: found.slug, isActive: (await listKeys(state, found.id)).some((key) => key.isActive) };
}

export interface FoundProject {
  readonly id: number;
  readonly slug: string;
  readonly organizationId: string;
}

/** Undefined when there is none yet. */
export async function findInternalProject(db: State['db'] | StateTransaction): Promise<FoundProject | undefined> {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'organization_id as organizationId', 'settings'])
    .where('settings', 'like', '%"internal":true%')
    .orderBy('id')
    .execute();
  return rows.find((row) => parseSettings(row.settings).internal);
}

/** Undefined before the set-up. */
async function makeProject(state: State): Promise<number | undefined> {
  const organization = await state.db
    .selectFrom('organization')
    .select('id')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!organization) return undefined;
  return state.transaction(async (trx) => {
    // Whoever comes at the same time waits here, and then finds what was made.
    await trx
      .updateTable('organization')
      .set(({ ref }) => ({ slug: ref('slug') }))
      .where('id', '=', organization.id)
      .execute();
    const made = await findInternalProject(trx);
    if (made) return made.id;
    const taken = await trx
      .selectFrom('project')
      .select('id')
      .where('organization_id', '=', organization.id)
      .where('slug', '=', slug)
      .executeTakeFirst();
    const input = { organizationId: organization.id, name, platform: 'node', internal: true };
    return (await insertProject(trx, taken ? input : { ...input, slug })).project.id;
  });
}

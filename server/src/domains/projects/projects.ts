/** Queries and commands for projects. */
import type { Selectable, Updateable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import { newProjectFilters } from '../../process/steps/filters/index.ts';
import { defaultGroupingSettings } from '../../process/steps/group/index.ts';
import { noteDeletions } from '../../ports/state/deletions.ts';
import type { ProjectTable } from '../../ports/state/schema.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { taken } from '../../base/texts/things.ts';
import { noteDeleted } from './deleted.ts';
import { type FilterPatch, patchFilters } from './filter-settings.ts';
import { type GroupingPatch, patchGrouping } from './grouping-settings.ts';
import { checked, newProject, projectPatch } from './input.ts';
import { insertKey } from './keys.ts';
import { parseSettings, patchSettings, type SettingsPatch } from './settings.ts';
import { firstFree, shortIdPrefixFrom, slugFrom } from './slug.ts';
import type { Project, ProjectKey } from './types.ts';

/** Those of the people: what the installation reports of itself counts only where somebody names its project. */
export const ofPeople = (projects: readonly Project[]): Project[] =>
  projects.filter(({ settings }) => !settings.internal);

/** By slug, the internal one last. An organisation has so few that all are read at once. */
export async function listProjects(state: State, organizationId: string): Promise<Project[]> {
  const rows = await state.db
    .selectFrom('project')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('slug')
    .execute();
  return rows.map(toProject).toSorted((a, b) => Number(a.settings.internal) - Number(b.settings.internal));
}

/** Undefined when the organisation has none of that slug or id. */
export async function getProject(state: State, organizationId: string, slugOrId: string): Promise<Project | undefined> {
  const query = state.db.selectFrom('project').selectAll().where('organization_id', '=', organizationId);
  const row = await (
    /^\d{1,9}$/.test(slugOrId) ? query.where('id', '=', Number(slugOrId)) : query.where('slug', '=', slugOrId)
  ).executeTakeFirst();
  return row && toProject(row);
}

/** By id, of whichever organisation. */
export async function findProject(state: State, id: number): Promise<Project | undefined> {
  const row = await state.db.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toProject(row);
}

export interface NewProject {
  readonly organizationId: string;
  readonly name: string;
  /** Made from the name when left out. A given one that is taken is refused with SLUG_TAKEN. */
  readonly slug?: string;
  readonly platform?: string;
  /** For what this installation reports of itself. Nobody waits for its first event. */
  readonly internal?: boolean;
}

/** Makes a project with a first key. */
export function createProject(state: State, input: NewProject): Promise<{ project: Project; key: ProjectKey }> {
  return state.transaction((trx) => insertProject(trx, input));
}

/** The same as part of a larger transaction. */
export async function insertProject(
  trx: StateTransaction,
  { organizationId, internal = false, ...asked }: NewProject,
): Promise<{ project: Project; key: ProjectKey }> {
  const { name, platform = '', ...input } = checked(newProject, asked);
  const others = await trx
    .selectFrom('project')
    .select(['slug', 'short_id_prefix'])
    .where('organization_id', '=', organizationId)
    .execute();
  const slugs = new Set(others.map((other) => other.slug));
  if (input.slug !== undefined && slugs.has(input.slug)) throw new CodedError('SLUG_TAKEN', [taken.slug(input.slug)]);
  const slug = input.slug ?? firstFree(slugFrom(name, 'project'), slugs);
  const now = Date.now();
  const row = await trx
    .insertInto('project')
    .values({
      organization_id: organizationId,
      slug,
      name,
      platform,
      short_id_prefix: firstFree(shortIdPrefixFrom(slug), new Set(others.map((other) => other.short_id_prefix))),
      settings: JSON.stringify({
        ...(internal ? { internal } : { filters: newProjectFilters }),
        grouping: defaultGroupingSettings,
      }),
      created_at: now,
      first_event_at: internal ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const project = toProject(row);
  return { project, key: await insertKey(trx, project.id, { label: 'Default' }) };
}

export interface ProjectPatch {
  readonly name?: string;
  readonly slug?: string;
  readonly platform?: string;
  /** Merged over what is set. */
  readonly settings?: SettingsPatch;
  /** One inbound filter. */
  readonly filter?: FilterPatch;
  /** Texts of rules that can be read, and another version of the algorithm. */
  readonly grouping?: GroupingPatch;
}

/** Changes what is given; the prefix of short ids stays, for they are in people's notes. Undefined when there is no such project. */
export async function updateProject(state: State, id: number, input: ProjectPatch): Promise<Project | undefined> {
  const { filter, ...given } = input;
  const { settings, grouping = {}, slug, ...rest } = checked(projectPatch, given);
  return state.transaction(async (trx) => {
    const row = await trx.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const patch: Updateable<ProjectTable> = { ...rest };
    if (slug !== undefined && slug !== row.slug) {
      const other = await trx
        .selectFrom('project')
        .select('id')
        .where('organization_id', '=', row.organization_id)
        .where('slug', '=', slug)
        .executeTakeFirst();
      if (other) throw new CodedError('SLUG_TAKEN', [taken.slug(slug)]);
      patch.slug = slug;
    }
    if (settings || filter || Object.values(grouping).some((value) => value !== undefined)) {
      const patched = patchSettings(parseSettings(row.settings), settings ?? {});
      const now = Date.now();
      patch.settings = JSON.stringify({
        ...patched,
        ...(filter && { filters: patchFilters(patched.filters, filter) }),
        grouping: patchGrouping(patched.grouping, grouping, now),
      });
    }
    if (Object.values(patch).every((value) => value === undefined)) return toProject(row);
    return toProject(
      await trx.updateTable('project').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
    );
  });
}

/**
 * Deletes the project with its keys and issues; false when there is none. What the events store has of it is the
 * caller's; what is stored of it after that is deleted by `sweepDeleted`.
 */
export async function deleteProject(state: State, id: number): Promise<boolean> {
  return state.transaction(async (trx) => {
    const deleted = await trx
      .deleteFrom('project')
      .where('id', '=', id)
      .returning(['id', 'created_at'])
      .executeTakeFirst();
    if (deleted) {
      await noteDeleted(trx, id, Date.now());
      await noteDeletions(trx, 'project', [{ id, madeAt: Number(deleted.created_at) }], Date.now());
    }
    return deleted !== undefined;
  });
}

const toProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  organizationId: row.organization_id,
  slug: row.slug,
  name: row.name,
  platform: row.platform,
  shortIdPrefix: row.short_id_prefix,
  settings: parseSettings(row.settings),
  createdAt: row.created_at,
  firstEventAt: row.first_event_at,
  firstSpanAt: row.first_span_at,
  importedUntil: row.imported_until,
  sampledUntil: row.sampled_until,
  limitedAt: row.limited_at,
});

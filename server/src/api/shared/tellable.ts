/** What several resources tell the audit log of. */
import type { Note, Target } from '../../domains/audit/index.ts';
import type { Project, ProjectKey } from '../../domains/projects/index.ts';
import type { SavedSearch } from '../../domains/saved-searches/index.ts';

export const tellableProject = ({ id, slug }: Project): Target => ({ id, name: slug, project: slug });

/** Its public part stands in every page, so that its end says which one it is. */
export const tellableKey = ({ id, label, publicKey }: ProjectKey, { slug }: Project): Target => ({
  id,
  name: `${label} (…${publicKey.slice(-4)})`,
  project: slug,
});

/** The settings under the names that the log has for them. */
export function projectSettings({ name, slug, platform, settings }: Project): Record<string, unknown> {
  const { grouping, filters, ...more } = settings;
  const { version, fingerprintRules, stackTraceRules } = grouping;
  const told = { filters: filters.active, filterPatterns: filters.patterns };
  return { name, slug, platform, ...more, ...told, groupingVersion: version, fingerprintRules, stackTraceRules };
}

type KeptSearch = Pick<SavedSearch, 'id' | 'name' | 'query' | 'sort' | 'visibility' | 'state'>;

/** Of searches only those that others see, or saw until now. */
export function noteSearch(
  note: Note,
  kind: 'search' | 'saved_question',
  before: KeptSearch | undefined,
  after: KeptSearch | undefined,
): void {
  const [known] = [before, after].filter((one) => one !== undefined);
  if (!known || ![before, after].some((one) => one?.visibility === 'organization')) return;
  const target = { id: known.id, name: known.name };
  if (before && after) note(target, { action: `${kind}.update`, before: { ...before }, after: { ...after } });
  else note(target, { action: after ? `${kind}.create` : `${kind}.delete`, details: { query: known.query } });
}

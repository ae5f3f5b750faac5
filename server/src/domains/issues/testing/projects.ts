/** Projects without the rest of an installation. For tests. */
import type { State } from '../../../ports/state/state.ts';
import type { VisibleProject } from '../types.ts';

/** In the organisation `org`, which must be there. Its short ids begin with the slug. */
export async function addTestProject(state: State, slug: string): Promise<VisibleProject> {
  const shortIdPrefix = slug.toUpperCase();
  const { id } = await state.db
    .insertInto('project')
    .values({
      organization_id: 'org',
      slug,
      name: slug,
      platform: '',
      short_id_prefix: shortIdPrefix,
      settings: '{}',
      created_at: Date.now(),
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, slug, name: slug, platform: '', shortIdPrefix };
}

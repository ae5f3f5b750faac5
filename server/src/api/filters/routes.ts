/** Inbound filters of projects. */
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { droppedByFilters, previewFilters } from '../../domains/filters/index.ts';
import { readPatterns, updateProject } from '../../domains/projects/index.ts';
import {
  type FilterId,
  filterIds,
  type FilterSettings,
  hasPatterns,
  patternFilterIds,
} from '../../process/steps/filters/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { leavingOf } from '../shared/leaving.ts';
import { iso } from '../shared/read.ts';
import { projectSettings, tellableProject } from '../shared/tellable.ts';
import * as contract from './contract.ts';

const dayMs = 86_400_000;

export function filterRoutes(api: Api): void {
  const { events, live } = api.deps;

  implement(api, contract.listFilters, async ({ caller: { project }, query }) => {
    const dropped = await droppedByFilters(events, project.id, Date.now() - query.days * dayMs);
    return filterIds.map((id) => ({
      ...stateOf(id, project.settings.filters),
      dropped: dropped.filter((one) => one.id === id).map(({ category, quantity }) => ({ category, quantity })),
    }));
  });

  implement(api, contract.updateFilter, async ({ caller: { project }, params, body, recorded }) => {
    const changed = await recorded(async (inside, note) => {
      const after = await updateProject(inside, project.id, { filter: { id: params.filter, ...body } });
      if (!after) throw new CodedError('NOT_FOUND', [things.project(project.slug)]);
      note(tellableProject(project), { before: projectSettings(project), after: projectSettings(after) });
      return after;
    });
    live.publish({ type: 'settings' });
    return stateOf(params.filter, changed.settings.filters);
  });

  implement(api, contract.previewFilters, async ({ caller: { project }, body, reply }) => {
    const { patterns, days, limit } = body;
    const tried = Object.fromEntries(
      patternFilterIds.flatMap((id) => (patterns[id] ? [[id, readPatterns(id, patterns[id])]] : [])),
    );
    const { examined, filters } = await previewFilters(events, {
      projectId: project.id,
      patterns: { ...project.settings.filters.patterns, ...tried },
      limit,
      sinceMs: Date.now() - days * dayMs,
      signal: leavingOf(reply),
    });
    return {
      days,
      examined,
      filters: filters.map(({ examples, ...one }) => ({
        ...one,
        examples: examples.map(({ title, eventId, at, count }) => ({
          title,
          ...(eventId !== undefined && { eventID: eventId }),
          ...(at !== undefined && { dateCreated: iso(at) }),
          ...(count !== undefined && { count }),
        })),
      })),
    };
  });
}

const stateOf = (id: FilterId, { active, patterns }: FilterSettings) => ({
  id,
  active: active.includes(id),
  patterns: hasPatterns(id) ? [...(patterns[id] ?? [])] : null,
});

/** Completion of fields and values from the data. */
import type { FastifyRequest } from 'fastify';
import { findKey } from '@culprit/search';
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import {
  createRowCounts,
  type FieldScope,
  type FieldValues,
  listFields,
  listValues,
} from '../../domains/fields/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';

type Query = z.output<typeof contract.listSearchFields.query>;

const defaultPeriod = '14d';

export function fieldRoutes(api: Api): void {
  const { state, events } = api.deps;
  const stores = { events, counts: createRowCounts(events) };

  const scopeOf = async (
    membership: Membership,
    query: Query,
    request: FastifyRequest,
  ): Promise<FieldScope & { readonly projects: readonly Project[] }> => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    return {
      projects,
      set: query.dataset === 'spans' || query.dataset === 'transactions' ? 'spans' : 'events',
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      range: parseTimeRange(query, nowMs) ?? lastPeriod(defaultPeriod, nowMs),
      nowMs,
      signal: request.signal,
    };
  };

  /** Rows have the numbers of their projects, a search has their slugs. */
  const slugsOf = async (
    { projects, ...scope }: FieldScope & { readonly projects: readonly Project[] },
    { query, limit }: z.output<typeof contract.listFieldValues.query>,
  ): Promise<FieldValues> => {
    const all = { ...scope, key: 'project', text: '', limit: projects.length };
    const { values, sampled } = await listValues(stores, all);
    const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]));
    const text = query.toLowerCase();
    const named = values
      .map((one) => ({ ...one, value: slugs.get(one.value) ?? '' }))
      .filter(({ value }) => value.includes(text))
      .toSorted((a, b) => Number(b.value.startsWith(text)) - Number(a.value.startsWith(text)));
    return { values: named.slice(0, limit), sampled };
  };

  implement(api, contract.listSearchFields, async ({ caller: { membership }, query, request }) => {
    const { fields, sampled } = await listFields(stores, await scopeOf(membership, query, request));
    return fields.map(({ key, kind, type, description, total }) => ({
      key,
      name: key,
      kind,
      type,
      description,
      totalValues: total ?? null,
      sampled: total !== undefined && sampled,
    }));
  });

  const valuesOf = async (
    membership: Membership,
    key: string,
    query: z.output<typeof contract.listFieldValues.query>,
    request: FastifyRequest,
  ): Promise<z.output<typeof contract.listFieldValues.response>> => {
    const scope = await scopeOf(membership, query, request);
    const { place } = findKey(key, scope.set);
    const { values, sampled } =
      place.kind === 'project' && place.by === 'name'
        ? await slugsOf(scope, query)
        : await listValues(stores, { ...scope, key, text: query.query, limit: query.limit });
    return values.map(({ value, count, firstSeen, lastSeen }) => ({
      key,
      value,
      name: value,
      count,
      firstSeen: iso(firstSeen),
      lastSeen: iso(lastSeen),
      sampled,
    }));
  };

  implement(api, contract.listFieldValues, async ({ caller: { membership }, params, query, request }) =>
    valuesOf(membership, params.key, query, request),
  );
  implement(api, contract.listProjectFieldValues, async ({ caller: { membership, project }, params, query, request }) =>
    valuesOf(membership, params.key, { ...query, project: [String(project.id)] }, request),
  );
}

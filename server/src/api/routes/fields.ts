/** Completion of fields and values from the data. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Membership } from '../../accounts/index.ts';
import { createRowCounts, type FieldScope, listFields, listValues } from '../../fields/index.ts';
import { lastPeriod, parseTimeRange } from '../../search/index.ts';
import * as contract from '../contract/fields.ts';
import { type Api, implement } from '../implement.ts';
import { chooseProjects } from '../scope.ts';
import { iso } from '../shapes/read.ts';

type Query = z.output<typeof contract.listSearchFields.query>;

const defaultPeriod = '14d';

export function fieldRoutes(api: Api): void {
  const { state, events } = api.deps;
  const stores = { events, counts: createRowCounts(events) };

  const scopeOf = async (membership: Membership, query: Query, request: FastifyRequest): Promise<FieldScope> => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    return {
      set: query.dataset === 'spans' || query.dataset === 'transactions' ? 'spans' : 'events',
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      range: parseTimeRange(query, nowMs) ?? lastPeriod(defaultPeriod, nowMs),
      nowMs,
      signal: request.signal,
    };
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

  implement(api, contract.listFieldValues, async ({ caller: { membership }, params, query, request }) => {
    const scope = await scopeOf(membership, query, request);
    const { key } = params;
    const { values, sampled } = await listValues(stores, { ...scope, key, text: query.query, limit: query.limit });
    return values.map(({ value, count, firstSeen, lastSeen }) => ({
      key,
      value,
      name: value,
      count,
      firstSeen: iso(firstSeen),
      lastSeen: iso(lastSeen),
      sampled,
    }));
  });
}

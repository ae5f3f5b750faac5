/** Lists of resources as SCIM has them. */
import type { FastifyRequest } from 'fastify';
import {
  type Filter,
  type JsonObject,
  listSchema,
  mostResults,
  parseFilter,
  projected,
  wantedOf,
  wants,
} from '../../domains/provisioning/index.ts';

export interface ListQuery {
  readonly filter: Filter | undefined;
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export type Query = Readonly<Record<string, string | string[] | undefined>>;

const one = (query: Query, name: string): string | undefined => {
  const value = query[name];
  return Array.isArray(value) ? value[0] : value;
};

const whole = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : otherwise;

const usualCount = 100;

export function listQueryOf(request: FastifyRequest): ListQuery {
  const query = request.query as Query;
  const filter = one(query, 'filter')?.trim();
  return {
    filter: filter ? parseFilter(filter) : undefined,
    offset: Math.max(1, whole(one(query, 'startIndex'), 1)) - 1,
    limit: Math.min(mostResults, Math.max(0, whole(one(query, 'count'), usualCount))),
  };
}

const wantedBy = (request: FastifyRequest) => {
  const query = request.query as Query;
  const [attributes, excludedAttributes] = [one(query, 'attributes'), one(query, 'excludedAttributes')];
  return wantedOf({
    ...(attributes !== undefined && { attributes }),
    ...(excludedAttributes !== undefined && { excludedAttributes }),
  });
};

/** Whether a part that costs a statement of its own is asked for. */
export const isWanted = (request: FastifyRequest, name: string): boolean => wants(wantedBy(request), name);

export const shown = (request: FastifyRequest, resource: JsonObject): JsonObject =>
  projected(resource, wantedBy(request));

export const listed = (
  request: FastifyRequest,
  resources: readonly JsonObject[],
  { total, offset }: { readonly total: number; readonly offset: number },
): JsonObject => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources.map((resource) => shown(request, resource)),
});

/** The value that an attribute has to equal, where that is all that a filter says. */
export function soughtValue(filter: Filter | undefined, name: string): string | undefined {
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || filter.path.sub !== undefined) return undefined;
  const { path, value } = filter;
  return path.name.toLowerCase() === name.toLowerCase() && typeof value === 'string' ? value : undefined;
}

export function mentions(filter: Filter | undefined, name: string): boolean {
  if (!filter) return false;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => mentions(part, name));
    case 'not':
      return mentions(filter.part, name);
    case 'values':
      return filter.name.toLowerCase() === name;
    default:
      return filter.path.name.toLowerCase() === name;
  }
}

/** The shared filter as the API's query parameters. */
import type { Filters } from './filters.ts';

export function projectParameter(filters: Filters): { project?: string[] } {
  return filters.project ? { project: [filters.project] } : {};
}

export function environmentParameter(filters: Filters): { environment?: string[] } {
  return filters.environment ? { environment: [filters.environment] } : {};
}

/** Nothing when no range is chosen: the server's default for that list holds. */
export function rangeParameters(filters: Filters): { statsPeriod?: string; start?: string; end?: string } {
  if (filters.start && filters.end) return { start: filters.start, end: filters.end };
  return filters.range ? { statsPeriod: filters.range } : {};
}

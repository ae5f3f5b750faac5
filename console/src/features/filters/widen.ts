/** What becomes of an address whose filters leave nothing. */
import { lasting, type SharedSearch } from './filters.ts';
import { chosen } from './travel.ts';

/** The longest range that lists have. */
export const longestRange = '90d';

export const inLongestRange = <S extends object>(before: S & SharedSearch) => chosen(before, lasting(longestRange));

/** The list of the project, with nothing else of the address. */
export const withoutFilters = ({ project, elsewhere }: SharedSearch) =>
  chosen({ project, elsewhere }, { environment: undefined, ...lasting() });

/** That over the longest time. */
export const withoutFiltersInLongestRange = ({ project, elsewhere }: SharedSearch) =>
  chosen({ project, elsewhere }, { environment: undefined, ...lasting(longestRange) });

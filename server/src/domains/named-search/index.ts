export { issueFilter } from './issue-filter.ts';
export type { NameScope } from './names.ts';
export { chooseProjects, namesProjects, namingSeenOnly, reachableProjects } from './projects.ts';
export { readNamedSearch, readSearch, SearchError } from './read.ts';

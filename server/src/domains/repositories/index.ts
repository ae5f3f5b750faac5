export { commitLink, type LinkContext, linkContext, type LinkFrame, linkOf, mapFrame } from './links.ts';
export { createCodeMapping, deleteCodeMapping, listCodeMappings, updateCodeMapping } from './mappings.ts';
export { matchFile, plainPath as plainFramePath, plainPathOf as plainPathOfFrame } from './paths.ts';
export {
  createRepository,
  deleteRepository,
  getRepository,
  listRepositories,
  repositoryIds,
  updateRepository,
} from './repositories.ts';
export { suggestMappings, type MappingSuggestion } from './suggest.ts';
export type { CodeMapping, Provider, Repository } from './types.ts';

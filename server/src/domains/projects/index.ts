export { addAlias, deleteAlias, listAliases } from './aliases.ts';
export { keepReserved, reserveId, sweepDeleted } from './deleted.ts';
export { createKeyDirectory, createProjectSettings, readSettings } from './directory.ts';
export type { KeyEntry } from './directory.ts';
export { notePlatform } from './first-platform.ts';
export { noteFirstSpans } from './first-span.ts';
export { type FilterPatch, readPatterns } from './filter-settings.ts';
export { type GroupingPatch, RulesError } from './grouping-settings.ts';
export { checked } from './input.ts';
export {
  addBlobBytes,
  adoptKey,
  createKey,
  deleteKey,
  getKey,
  insertKey,
  keyLabels,
  listKeys,
  listKeysOf,
  ownerOfKey,
  updateKey,
} from './keys.ts';
export type { KeyPatch, NewKey } from './keys.ts';
export { createLookupCache } from './lookup-cache.ts';
export type { LookupCache } from './lookup-cache.ts';
export {
  createProject,
  deleteProject,
  findProject,
  getProject,
  insertProject,
  listProjects,
  ofPeople,
  updateProject,
} from './projects.ts';
export type { NewProject, ProjectPatch } from './projects.ts';
export {
  changeOrganizationScrubbing,
  checkScrubRules,
  organizationScrubbing,
  pseudonymKeyOf,
  scrubRuleProblems,
  withOrganization,
} from './scrubbing.ts';
export { findHold, heldAmong, type Hold, refuseHeld, removeHold, setHold } from './holds.ts';
export { seenProject, seenProjects, sees } from './seen.ts';
export type { Viewer } from './seen.ts';
export { parseSettings } from './settings.ts';
export { firstFree, isSlug, shortIdPrefixFrom, slugFrom } from './slug.ts';
export type { Project, ProjectKey, RateLimit } from './types.ts';
export { addQuotaUse, deleteOldUse } from './quota-use.ts';
export { deleteEndedWindows, takeShares } from './rate-windows.ts';

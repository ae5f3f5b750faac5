export { createDeploy, deleteRelease, hasDeploy, saveRelease, type ReleaseChange } from './commands.ts';
export { type ComparedSide, compareTwo, type Comparison } from './compare/index.ts';
export {
  type CommitWithFiles,
  type ReportedCommit,
  type ReportedRef,
  listCommits,
  listRepositoryCommits,
} from './commits.ts';
export { factsOf, headsOf, listDeploys, type ReleaseFacts } from './facts.ts';
export { headBefore, versionOfHead } from './heads.ts';
export { type LatestChange, latestChange } from './latest-change.ts';
export { deployedEnvironments, deploysBetween, type DeployMark } from './marks.ts';
export { markNamed } from './named.ts';
export { noteReleases, type SeenRelease } from './note.ts';
export { type Overflow, overflowsOf } from './overflow.ts';
export {
  findRelease,
  findReleases,
  listReleases,
  neighboursOf,
  projectsOf,
  type ReleaseListRequest,
} from './queries.ts';
export { latestVersions, type ReleaseStages, releaseStages } from './stages.ts';
export { findSuspects, type Suspect, type SuspectFrame, type Suspects } from './suspects.ts';
export { parseTimeInput } from './time.ts';
export {
  type CommitRepositoryRow,
  type CommitRow,
  type DeployRow,
  type ReleaseRow,
  checkedVersion,
  shortVersion,
} from '../release-order/index.ts';

export { limits } from './limits.ts';
export { makeBrief } from './make.ts';
export { fence, writeBrief } from './write.ts';
export type {
  Brief,
  BriefCommit,
  BriefEvent,
  BriefFacts,
  BriefFix,
  BriefIssue,
  BriefReleases,
  BriefTrace,
} from './types.ts';

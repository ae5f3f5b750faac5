export { applyLimits, hasLimits, type LimitedEvents, noneLimited } from './apply.ts';
export type { Weight } from './decide.ts';
export { standingFor } from './standing.ts';
export { createDecisionExpiry, forgetWaiting } from './expire.ts';
export { renameWaitingUsers } from './rename.ts';
export { limitIn, mergeLimits, restoreLimitIn, takeBackLimits } from './set.ts';
export { type IssueLimit, limitOf } from './read.ts';

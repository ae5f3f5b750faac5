export { type Changes, changesSince } from './changes.ts';
export { type Plan, planUpgrade } from './plan.ts';
export { endsAt, type ExpireOptions, expirePoints, retainedFrom, type Why } from './expiry.ts';
export { engineGone } from './engine-gone.ts';
export { listPoints, ownBytes, removeLeftovers, type RestorePoint } from './points.ts';
export { prepareDataDir, type Prepared, versionBefore } from './prepare.ts';
export { finishReturn, isReturning, lookAhead, type ReturnOptions, returnTo } from './return.ts';
export { isKnown, isSame, readWrittenBy, thisProgram, type WrittenBy, writeWrittenBy } from './written-by.ts';

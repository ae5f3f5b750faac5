export { changeStatus, changeStatusIn, restoreStatusIn, type StatusChange } from './change.ts';
export type { StatusDetails } from './details.ts';
export { readStatusChange } from './given.ts';
export { openStateKeeper } from './keeper.ts';
export { countSoFar, type SoFar } from './so-far.ts';
export type { StatusColumns } from './transition.ts';

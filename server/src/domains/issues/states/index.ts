export { changeStatus, changeStatusIn, restoreStatusIn, type StatusChange } from './change.ts';
export type { StatusDetails } from './details.ts';
export { readStatusChange, type RequestedStatus } from './read-status.ts';
export { createStateKeeper } from './keeper.ts';
export { countSoFar, type SoFar } from './so-far.ts';
export type { IssueState } from './machine.ts';
export type { StatusColumns } from './transition.ts';

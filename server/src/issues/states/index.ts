export {
  changeStatus,
  changeStatusIn,
  restoreStatus,
  restoreStatusIn,
  type StatusChange,
  type StatusChanged,
} from './change.ts';
export { parseDetails, type StatusDetails } from './details.ts';
export { readStatusChange } from './given.ts';
export { type StatusColumns, statusColumns, toStatusColumns } from './transition.ts';
export { openStateKeeper } from './keeper.ts';

export { listMerges, findExactly, type IssueMerge } from './list.ts';
export { mergeIssues, type Merged, type MergeRequest } from './merge.ts';
export { moveOut } from './move-out.ts';
export { takeBack } from './take-back.ts';

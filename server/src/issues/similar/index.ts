export type { Difference, Likeness } from './compare.ts';
export { openSigner } from './sign.ts';
export { allowAgain, keepApart, type SimilarIssue, similarIssues } from './similar.ts';

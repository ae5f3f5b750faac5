export type { Difference, Likeness } from './compare.ts';
export { createSigner } from './sign.ts';
export { allowAgain, keepApart, type SimilarIssue, similarIssues } from './similar.ts';

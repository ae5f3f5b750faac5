/** How much a brief says. What is beyond is left out, and where that is so it says how much. */
export const limits = {
  title: 500,
  message: 2_000,
  errors: 6,
  /** Calls of the error in which the failing line is; of each other one. */
  calls: 30,
  otherCalls: 8,
  callText: 400,
  /** Lines around the failing one; around those of other calls of the project. */
  sourceLines: 11,
  otherSourceLines: 3,
  sourceText: 240,
  variables: 24,
  otherVariables: 6,
  value: 400,
  name: 120,
  crumbs: 30,
  crumbText: 400,
  tags: 30,
  spans: 20,
  commits: 20,
  suspects: 5,
  files: 10,
  fixes: 3,
  comments: 2,
  comment: 800,
  steps: 30,
  curl: 8_000,
  test: 12_000,
  /** Characters of a fenced part of the document, and of its parts together. */
  part: 16_000,
  document: 60_000,
} as const;

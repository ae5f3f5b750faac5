/** Which of these tests run against which form of Culprit: all of them against both, but for those that are named here. */

/** Not against the scaled form, and why. */
export const embeddedAlone: Readonly<Record<string, string>> = {
  'e2e/package.test.ts': 'the npm package as it starts with nothing beside it',
  'e2e/load-failure-package.test.ts': 'pages without a server',
  'e2e/next-guide.test.ts': 'the text of a guide',
};

/** Also against the scaled form with each `npm test`: signing in, processing and live updates across nodes, within seconds. */
export const scaledSample = ['e2e/logs.test.ts'];

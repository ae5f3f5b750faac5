export { createFailures } from './failures.ts';
export type { FailureFacts, Failures, NotedFailure } from './failures.ts';
export { failurePage, failurePagePolicy, wantsPage } from './failure-page.ts';
export type { InternalKey } from './internal-key.ts';
export { createReporter } from './reporter.ts';
export { requestFacts } from './request-facts.ts';
export type { FailedRequest } from './request-facts.ts';

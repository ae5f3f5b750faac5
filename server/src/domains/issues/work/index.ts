export { assign, assignIn, unassignIn } from './assign.ts';
export { announce } from './announce.ts';
export { bookmarkIn, follow, markSeenIn, restoreSubscriptionsIn, subscribeIn } from './marks.ts';
export { restorePriorityIn, setPriorityIn } from './priority.ts';
export {
  type AssigneeRef,
  type IssueWork,
  markedIssues,
  participants,
  type PersonRef,
  seenBy,
  workOf,
} from './read.ts';
export { findShared, shareIn } from './share.ts';
export { takeOffIssues } from './take-off.ts';
export type {
  AssignedTo,
  AssigneeBefore,
  Assignment,
  AssignmentReason,
  PriorityBefore,
  SubscriptionBefore,
} from './types.ts';

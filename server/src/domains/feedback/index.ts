export { backfillFeedback, createBackfill } from './backfill.ts';
export { deleteFeedback, deleteOldFeedback, setFeedbackStatus } from './commands.ts';
export { countFeedback, type FeedbackRequest, findFeedback, listFeedback } from './list.ts';
export { createLinker, linkLate } from './link.ts';
export { feedbackIssueId, feedbackNamed, feedbackShortId, findNamedFeedback } from './names.ts';
export { recordFeedback } from './record.ts';
export { type Feedback, type FeedbackStatus, feedbackStatuses } from './types.ts';

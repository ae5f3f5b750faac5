export { backfillFeedback } from './backfill.ts';
export { deleteFeedback, deleteOldFeedback, setFeedbackStatus } from './commands.ts';
export { countFeedback, type FeedbackRequest, findFeedback, listFeedback } from './list.ts';
export { linkLate, recordFeedback } from './record.ts';
export { type Feedback, type FeedbackStatus, feedbackStatuses } from './types.ts';

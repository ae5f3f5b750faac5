export { enqueue } from './enqueue.ts';
export type { Delivery, Notification, NotificationIssue, Recipient, Severity } from './types.ts';

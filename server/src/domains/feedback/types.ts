/** Shapes of what users say. Times are ms since the epoch. */
import type { FeedbackStatus, FeedbackTable } from '../../ports/state/feedback-tables.ts';

export const feedbackStatuses = ['open', 'resolved', 'spam'] as const satisfies readonly FeedbackStatus[];
export type { FeedbackStatus };

/** What of it is for people to read beside the message. */
export interface FeedbackDetails {
  readonly user?: string;
  readonly browser?: string;
  readonly os?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** As an item says it. */
export interface ReportedFeedback {
  readonly projectId: number;
  readonly feedbackId: string;
  readonly kind: FeedbackTable['kind'];
  readonly message: string;
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly source: string;
  readonly eventId: string;
  readonly replayId: string;
  readonly traceId: string;
  readonly release: string;
  readonly environment: string;
  readonly details: FeedbackDetails;
  readonly createdAt: number;
  readonly receivedAt: number;
}

export interface Feedback extends ReportedFeedback {
  readonly id: number;
  readonly status: FeedbackStatus;
  /** Of the issue that it is about; undefined where nobody says, or its event is not known. */
  readonly issueId: number | undefined;
}

/** Tables of what users say. */
import type { Generated } from 'kysely';

export type FeedbackStatus = 'open' | 'resolved' | 'spam';

/** What somebody wrote about an application. One per project and id; a report of the older form has the id of its event. */
export interface FeedbackTable {
  id: Generated<number>;
  project_id: number;
  /** 32 hex digits: of the item. Its attachments carry it. */
  feedback_id: string;
  /** feedback, or user_report: the older form. */
  kind: 'feedback' | 'user_report';
  status: FeedbackStatus;
  message: string;
  /** '' where nobody says; so are those below. */
  name: string;
  email: string;
  url: string;
  /** widget, api, … */
  source: string;
  /** The event that it is about, 32 hex digits. */
  event_id: string;
  /** Of that event; '' until it is found. */
  group_hash: string;
  replay_id: string;
  trace_id: string;
  release: string;
  environment: string;
  /** JSON: what else the item says, for people: tags, browser, user. */
  details: string;
  /** When it was written, ms since the epoch. */
  created_at: number;
  received_at: number;
}

export interface FeedbackTables {
  feedback: FeedbackTable;
}

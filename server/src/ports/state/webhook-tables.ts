/** Tables of webhooks. Times are ms since the epoch. */
import type { Generated } from 'kysely';
import type { ClaimDefaults } from './job-tables.ts';

export interface WebhookTable {
  id: Generated<number>;
  organization_id: string;
  /** Of the installation, as receivers know it. */
  uuid: string;
  name: string;
  url: string;
  /** Sealed. */
  secret: string;
  /** The one before it, sealed, signs as well until then; '' for none. */
  former_secret: Generated<string>;
  former_until: Generated<number>;
  /** JSON array of ids; empty: all but the internal one. */
  project_ids: string;
  /** JSON array: see `domains/webhooks/events.ts`. */
  events: string;
  /** 1 or 0. */
  enabled: number;
  /** When it was disabled because it failed for too long; null for not. */
  disabled_at: number | null;
  /** Why the last attempt failed, in words; '' while deliveries arrive. */
  problem: Generated<string>;
  failing_since: number | null;
  last_sent_at: number | null;
  /** Deliveries that found no room in the queue. */
  dropped: Generated<number>;
  /** Until then nothing is sent, because the last attempt failed. */
  retry_at: Generated<number>;
  /** What happened before is not sent. */
  heard_from: number;
  created_at: number;
}

export interface WebhookDeliveryTable extends ClaimDefaults {
  id: Generated<number>;
  webhook_id: number;
  /** By which receivers recognise a repeat. */
  uuid: string;
  /** What it tells of: `activity:12`. A webhook is told once of each. */
  cause: string;
  /** See `domains/webhooks/events.ts`. */
  event: string;
  /** `Sentry-Hook-Resource` */
  resource: string;
  /** Null where it is of no project. */
  project_id: number | null;
  /** JSON, as it is sent. */
  body: string;
  state: 'waiting' | 'sent' | 'failed';
  /** Why the last attempt failed, in words. */
  detail: string;
  first_at: number | null;
  /** JSON array of the last attempts. */
  tries: string;
  created_at: number;
  finished_at: number | null;
}

/** Changes of what has no history of its own: see `change-notes.ts`. */
export interface ChangeNoteTable {
  id: Generated<number>;
  what:
    | 'comment.updated'
    | 'comment.deleted'
    | 'comment.restored'
    | 'feedback.updated'
    | 'release.archived'
    | 'release.reopened';
  /** Of the comment, the feedback or the release. */
  target_id: number;
  /** Who did it; null where nobody or a token did. */
  user_id: string | null;
  /** JSON object: what it became. */
  data: string;
  at: number;
}

export interface WebhookTables {
  change_note: ChangeNoteTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}

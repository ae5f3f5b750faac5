/** Tables of channels and of what is delivered to them. */
import type { Generated } from 'kysely';
import type { ClaimColumns } from './job-tables.ts';

/** Where an organisation is told things: a chat, a pager, a list of addresses. */
export interface ChannelTable {
  id: Generated<number>;
  organization_id: string;
  type: string;
  name: string;
  /** JSON as the type wants it, with its secrets. */
  config: string;
  /** JSON of QuietHours; null for none. */
  quiet_hours: string | null;
  /** 1 or 0. */
  enabled: number;
  created_at: number;
  updated_at: number;
  /** Since when every delivery fails; null while they arrive. */
  failing_since: number | null;
  /** Failures since then. */
  failures: number;
  /** What the last failure was, in words; '' for none. */
  problem: string;
  /** The receiver asked for patience until then; null when it did not. */
  hold_until: number | null;
  last_sent_at: number | null;
}

/** What is to be told to whom, and what became of it: outbox and log in one. */
export interface DeliveryTable extends ClaimColumns {
  id: Generated<number>;
  organization_id: string;
  /** Unique: what is enqueued again under it is the same. */
  key: string;
  /** One of the three says where to. */
  channel_id: number | null;
  user_id: string | null;
  email: string | null;
  kind: string;
  severity: string;
  /** The notification's own. */
  group_key: string;
  /** JSON of Notification. */
  notification: string;
  /** Those that are waiting with the same one for the same recipient go out as one; null for by itself. */
  batch: string | null;
  state: string;
  /** The delivery that told this one, too. */
  merged_into: number | null;
  /** Set before the bytes go out that make the receiver act. */
  committed_at: number | null;
  /** JSON of the last attempts. */
  log: string;
  /** Why it is in its state, in words; '' where that is plain. */
  detail: string;
  created_at: number;
  finished_at: number | null;
}

/** How somebody wants to be told, in an organisation. */
export interface NotificationSettingTable {
  user_id: string;
  organization_id: string;
  /** JSON of PersonalSettings. */
  settings: string;
  updated_at: number;
}

/** That an address wants no mail of a channel any more. Only whoever reads its mail takes it back. */
export interface MailOptOutTable {
  channel_id: number;
  /** Lower case. */
  address: string;
  at: number;
}

export interface NotifyTables {
  channel: ChannelTable;
  delivery: DeliveryTable;
  notification_setting: NotificationSettingTable;
  mail_opt_out: MailOptOutTable;
}

/** What is told to people and to other services, whoever tells it and wherever it goes. */
import type { Interval } from '../../base/texts/intl.ts';

export type NotificationKind =
  | 'issue_alert'
  | 'metric_alert'
  | 'assigned'
  | 'mentioned'
  | 'comment'
  | 'state'
  | 'digest'
  | 'report'
  | 'invitation'
  | 'account'
  | 'token'
  | 'backup'
  | 'quota'
  | 'webhook'
  | 'test';

/** `resolved` ends what an earlier one with the same `groupKey` began. */
export type Severity = 'info' | 'warning' | 'critical' | 'resolved';

/** A name with a value, or a line of a list; texts are as events brought them and are escaped where they are rendered. */
export interface NotificationField {
  readonly name: string;
  readonly value: string;
}

/** One of several things that a digest or a report tells. */
export interface NotificationLine {
  readonly title: string;
  /** Absolute; '' for none. */
  readonly url: string;
  /** '' for none. */
  readonly text: string;
}

export interface NotificationIssue {
  readonly id: number;
  readonly shortId: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  /** Events so far. */
  readonly count: number;
  /** If the count may be off by more than 1 %: its 95 % interval. */
  readonly estimated?: Interval | undefined;
  readonly userCount: number;
  /** '' for none. */
  readonly release: string;
  /** '' for none. */
  readonly environment: string;
  /** The line that threw: `app/cart.ts:12 in total`. */
  readonly frame?: string | undefined;
}

export interface Notification {
  readonly kind: NotificationKind;
  readonly severity: Severity;
  /** One line. */
  readonly title: string;
  /** A sentence or a few lines, plain text; '' for none. */
  readonly text: string;
  /** Absolute: what there is to see. */
  readonly url: string;
  readonly project?: { readonly id: number; readonly slug: string; readonly name: string } | undefined;
  readonly issue?: NotificationIssue | undefined;
  readonly metric?:
    | {
        readonly name: string;
        readonly value: number;
        readonly threshold: number | null;
        /** If the value may be off by more than 1 %: its 95 % interval. */
        readonly estimated?: Interval | undefined;
        readonly series?: readonly (readonly [seconds: number, value: number])[] | undefined;
      }
    | undefined;
  readonly rule?: { readonly id: number; readonly name: string; readonly url: string } | undefined;
  readonly fields: readonly NotificationField[];
  /** Of a digest or a report: what it tells, under headings. */
  readonly sections?: readonly { readonly heading: string; readonly lines: readonly NotificationLine[] }[] | undefined;
  /**
   * The same for everything about one matter: PagerDuty's `dedup_key`, Opsgenie's alias, the thread of mails. For
   * example `issue:12` or `rule:3:issue:12`.
   */
  readonly groupKey: string;
}

/** A channel of the organisation, a member by mail as they wish it, or anybody by mail (an invitation, a link for an account). */
export type Recipient = { readonly channelId: number } | { readonly userId: string } | { readonly email: string };

export interface Delivery {
  /** Says which delivery it is: the same key is delivered once, whoever enqueues it and how often. At most 200 characters. */
  readonly key: string;
  readonly organizationId: string;
  readonly to: Recipient;
  readonly notification: Notification;
  /** ms; at once when not said. */
  readonly notBefore?: number | undefined;
  /** Those with the same name for the same recipient that come within `waitMs` of the first go out as one message. */
  readonly batch?: { readonly name: string; readonly waitMs: number } | undefined;
}

/**
 * - `waiting`: to be sent when it is due, the first time or again.
 * - `sending`: somebody has it, until the lease ends.
 * - `sent`: the receiver has said so.
 * - `merged`: told as part of another one.
 * - `failed`: refused for good, or tried for a day.
 * - `uncertain`: it may have arrived, nobody can say, and sending it again might tell it twice.
 * - `skipped`: the recipient does not want it, or there is no way to send it.
 */
export type DeliveryState = 'waiting' | 'sending' | 'sent' | 'merged' | 'failed' | 'uncertain' | 'skipped';

export const channelTypes = [
  'email',
  'slack',
  'discord',
  'teams',
  'mattermost',
  'telegram',
  'pagerduty',
  'opsgenie',
  'webhook',
] as const;

export type ChannelType = (typeof channelTypes)[number];

/** When nothing is to be sent. Wall-clock times of a zone. */
export interface QuietHours {
  /** IANA name, e.g. Europe/Berlin. */
  readonly timeZone: string;
  /** HH:MM; where `until` is not later than `from`, it is on the next day. */
  readonly from: string;
  readonly until: string;
  /** Days on which they begin, 0 is Sunday. */
  readonly days: readonly number[];
  /** Whether critical ones are sent all the same. */
  readonly criticalPasses: boolean;
}

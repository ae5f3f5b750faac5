/** Quotas in errors and notifications. */
import type { QuotaCategory, QuotaPeriod, QuotaScope } from '../quotas.ts';
import { byteSize, estimated, type Interval, percentage, plural } from './intl.ts';

const nouns: Readonly<Record<Exclude<QuotaCategory, 'attachment'>, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  transaction: ['transaction', 'transactions'],
  span: ['span', 'spans'],
  log_item: ['log', 'logs'],
  session: ['session', 'sessions'],
  feedback: ['feedback item', 'feedback items'],
};

export const quotaTexts = {
  /** `1,000 errors`, `2 GB of attachments` */
  amount: (category: QuotaCategory, amount: number): string =>
    category === 'attachment' ? `${byteSize(amount)} of attachments` : plural(amount, ...nouns[category]),
  /** In the plural. */
  categories: {
    error: 'errors',
    transaction: 'transactions',
    span: 'spans',
    log_item: 'logs',
    session: 'sessions',
    attachment: 'attachments',
    feedback: 'feedback',
  } satisfies Record<QuotaCategory, string>,
  keyOfNone: 'a quota of a key needs the project of the key',
  /** `errors per month` */
  named: (category: QuotaCategory, period: QuotaPeriod): string => `${quotaTexts.categories[category]} per ${period}`,
  tooMany: (most: number): string => `an organisation can have at most ${most} quotas`,
  scopes: { organization: 'organisation', project: 'project', key: 'key' } satisfies Record<QuotaScope, string>,
  periods: { minute: 'minute', month: 'month' } satisfies Record<QuotaPeriod, string>,
} as const;

/** After the name of an organisation, a project or a key. */
const whose: Readonly<Record<QuotaScope, (name: string) => string>> = {
  organization: (name) => name,
  project: (name) => `project ${name}`,
  key: (name) => `key ${name}`,
};

const ofPeriod: Readonly<Record<QuotaPeriod, string>> = { minute: 'quota per minute', month: 'monthly quota' };

export interface ToldQuota {
  readonly scope: QuotaScope;
  /** Of the organisation, the project or the key. */
  readonly name: string;
  readonly category: QuotaCategory;
  readonly period: QuotaPeriod;
  readonly amount: number;
  readonly isHard: boolean;
}

export const quotaNotice = {
  /** `80% of the monthly quota of project web is used: 800 of 1,000 errors` */
  title: ({ scope, name, category, period, amount }: ToldQuota, percent: number, used: number): string =>
    `${percentage(percent / 100)} of the ${ofPeriod[period]} of ${whose[scope](name)} is used: ` +
    `${quotaTexts.amount(category, used)} of ${quotaTexts.amount(category, amount)}`,
  text: ({ isHard, period }: ToldQuota, isFull: boolean): string => {
    if (!isHard) return 'The quota is soft: nothing is dropped.';
    const until = period === 'month' ? 'until the month ends or the quota is raised' : 'until the minute ends';
    return isFull
      ? `More is dropped ${until}. SDKs receive rate limits and stop sending.`
      : `At 100%, more is dropped ${until}.`;
  },
  /** Once the month or the minute is over, or the quota was raised or deleted. */
  over: ({ scope, name, category, period }: Omit<ToldQuota, 'amount' | 'isHard'>): string =>
    `The ${ofPeriod[period]} of ${quotaTexts.categories[category]} of ${whose[scope](name)} has room again`,
  begins: 'Starts again',
  most: {
    project: 'Most from project',
    key: 'Most from key',
    release: 'Most from release',
    issue: 'Most from issue',
  },
  /** `web: 800 errors (81%)`, `web: about 800 errors (760–840) (81%)` */
  share: (name: string, category: QuotaCategory, count: number, share: number, interval?: Interval): string =>
    `${name}: ${interval ? estimated(count, interval, 'error') : quotaTexts.amount(category, count)} (${percentage(share, 0)})`,
} as const;

/** Webhooks in errors, notifications and logs. */
import { plural } from './intl.ts';

export const webhookTexts = {
  tooMany: (most: number): string => `an organisation can have at most ${most} webhooks`,
  otherKey: 'The secret was sealed with another key. Create a new secret.',
  gone: 'The receiver says that the address is gone (410).',
  redirected: (to: string): string => `It answered with a redirect to ${to}. Enter that address instead.`,
  status: (status: number): string => `It answered ${status}.`,
  noAnswer: (why: string): string => `No answer: ${why}`,
  disabled: 'The webhook was disabled.',
  notFinished: 'Only a finished delivery can be sent again. This one is still waiting.',
} as const;

export const webhookNotice = {
  title: (name: string): string => `Webhook ${name} was disabled`,
  text: (days: number, problem: string): string =>
    `It has failed for ${plural(days, 'day', 'days')}. Nothing is sent to it until it is enabled again.\n${problem}`,
  gone: (problem: string): string => `Nothing is sent to it until it is enabled again.\n${problem}`,
} as const;

import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/token-expiry.ts';
import { mailQuery } from '../channels/queries.ts';

/** Whether a reminder is sent before a token expires, in a sentence. */
export function useReminder(org: string): string {
  const mail = useQuery(mailQuery(org));
  return mail.data?.configured === false ? m.noReminder : m.reminder;
}

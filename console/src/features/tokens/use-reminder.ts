import { useQuery } from '@tanstack/react-query';
import { mailQuery } from '../channels/queries.ts';

/** Whether somebody is told before a token expires, in a sentence. */
export function useReminder(org: string): string {
  const mail = useQuery(mailQuery(org));
  return mail.data?.configured === false
    ? 'Mail is not set up, so no reminder is sent.'
    : 'You get a mail two weeks and a day before.';
}

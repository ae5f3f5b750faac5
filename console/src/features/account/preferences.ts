/** What the reader chose for every browser: kept by the server, and held at once by what the console starts with. */
import type { StackOrder } from '@culprit/stacktrace';
import type { QueryClient } from '@tanstack/react-query';
import { setTimeZone } from '../../ui/time-zone.ts';
import { bootQuery } from '../session/boot.ts';
import { accountQuery, updateAccount, type Account } from './queries.ts';
import { setTheme, type Theme } from '../../ui/theme.ts';

/** All that shows name, time zone or theme follows. */
export function holdAccount(queries: QueryClient, account: Account): void {
  const { preferences, name } = account;
  queries.setQueryData(accountQuery.queryKey, account);
  queries.setQueryData(
    bootQuery.queryKey,
    (boot) =>
      boot && { ...boot, preferences, self: { ...boot.self, user: boot.self.user && { ...boot.self.user, name } } },
  );
  setTimeZone(preferences.timeZone);
  if (preferences.theme) setTheme(preferences.theme);
}

export async function keepTheme(queries: QueryClient, theme: Theme): Promise<void> {
  holdAccount(queries, await updateAccount({ theme }));
}

/** Which call of a stack trace stands first; null for what each language prints. */
export async function keepStackOrder(queries: QueryClient, stackOrder: StackOrder | null): Promise<void> {
  holdAccount(queries, await updateAccount({ stackOrder }));
}

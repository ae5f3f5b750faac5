/** Mail of alert rules leaves out the addresses of members who muted the rule for themselves. */
import type { StateTransaction } from '../../ports/state/state.ts';
import type { Notification } from './types.ts';

/** Addresses of members who want none of these, in lower case. */
export async function unwantedBy(
  trx: StateTransaction,
  {
    organizationId,
    notifications,
  }: { readonly organizationId: string; readonly notifications: readonly Notification[] },
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rules = new Set(notifications.map(({ rule }) => rule?.id));
  const ids = [...rules].filter((id) => id !== undefined);
  // Told together with something that is of no rule, they are for everybody.
  if (!ids.length || ids.length < rules.size) return new Set();
  const rows = await trx
    .selectFrom('alert_rule_mute')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_rule_mute.rule_id')
    .innerJoin('user', 'user.id', 'alert_rule_mute.user_id')
    .select(['alert_rule_mute.rule_id as rule', 'user.email as email'])
    .where('alert_rule_mute.rule_id', 'in', ids)
    .where('alert_rule_mute.until', '>', nowMs)
    .where('alert_rule.organization_id', '=', organizationId)
    .execute();
  const byEmail = Map.groupBy(rows, ({ email }) => email.toLowerCase());
  return new Set([...byEmail].flatMap(([email, muted]) => (muted.length === ids.length ? [email] : [])));
}

/** Who may change a rule for everybody, and who it is silent to. */
import { CodedError } from '../../base/errors.ts';
import type { State } from '../../ports/state/state.ts';
import { permissions } from '../../base/texts/alerts.ts';
import type { Rule } from './types.ts';

/** Who asks, with their role in the organisation. */
export interface RuleAsker {
  readonly userId: string;
  readonly role: string;
}

interface Member {
  readonly userId: string;
  readonly name: string;
}

const changers: readonly string[] = ['owner', 'admin', 'manager'];

export const mayChange = ({ createdBy }: Pick<Rule, 'createdBy'>, { userId, role }: RuleAsker): boolean =>
  changers.includes(role) || createdBy === userId;

/** In words: "Ada, a manager, an admin or an owner". A maker who has left is nobody to ask. */
export function whoMayChange({ createdBy }: Pick<Rule, 'createdBy'>, members: readonly Member[]): string {
  return permissions.changers(members.find(({ userId }) => userId === createdBy)?.name);
}

/** Throws `RULE_NOT_YOURS`. */
export function checkMayChange(rule: Pick<Rule, 'createdBy'>, asker: RuleAsker, members: readonly Member[]): void {
  if (!mayChange(rule, asker)) throw new CodedError('RULE_NOT_YOURS', [whoMayChange(rule, members)]);
}

/** For one person alone; null lets it speak to them again. */
export async function muteForPerson(state: State, ruleId: number, userId: string, until: number | null): Promise<void> {
  if (until === null) {
    await state.db.deleteFrom('alert_rule_mute').where('rule_id', '=', ruleId).where('user_id', '=', userId).execute();
    return;
  }
  await state.db
    .insertInto('alert_rule_mute')
    .values({ rule_id: ruleId, user_id: userId, until })
    .onConflict((conflict) => conflict.columns(['rule_id', 'user_id']).doUpdateSet({ until }))
    .execute();
}

/** Rules that are silent to somebody, with until when; by id. */
export async function mutedFor(state: State, userId: string, nowMs: number): Promise<ReadonlyMap<number, number>> {
  const rows = await state.db
    .selectFrom('alert_rule_mute')
    .select(['rule_id', 'until'])
    .where('user_id', '=', userId)
    .where('until', '>', nowMs)
    .execute();
  return new Map(rows.map((row) => [row.rule_id, Number(row.until)]));
}

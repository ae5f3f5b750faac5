/** Who somebody in Slack is here: the member with the address that Slack has confirmed for them. */
import { z } from 'zod';
import { slack as texts } from '../../base/texts/slack.ts';
import type { State } from '../../ports/state/state.ts';
import { memberByEmail, type Vouched } from '../accounts/index.ts';
import { callSlack, type SlackTools } from './api.ts';
import type { OpenedApp } from './app.ts';

const Info = z.object({
  user: z.object({
    team_id: z.string().max(40).optional(),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().default(false),
    is_stranger: z.boolean().default(false),
    is_email_confirmed: z.boolean().default(true),
    enterprise_user: z.object({ enterprise_id: z.string().max(40).optional() }).optional(),
    profile: z.object({ email: z.string().max(320).optional() }).default({}),
  }),
});

export type SlackUser = z.output<typeof Info>['user'];

/** Pure: the address that can be trusted, or why there is none. */
export function addressOf(
  user: SlackUser,
  { teamId, enterpriseId }: Pick<OpenedApp, 'teamId' | 'enterpriseId'>,
): { readonly email: string } | { readonly why: string } {
  const { team_id: team, enterprise_user: grid, profile, deleted, is_bot, is_stranger } = user;
  // In a shared channel are people of other workspaces, whose administrators give them any address they like.
  const isOurs = team === teamId || (enterpriseId !== null && grid?.enterprise_id === enterpriseId);
  if (!isOurs || is_stranger) return { why: texts.stranger };
  if (deleted || is_bot) return { why: texts.noPerson };
  if (profile.email === undefined || profile.email === '') return { why: texts.noEmail };
  return user.is_email_confirmed ? { email: profile.email } : { why: texts.unconfirmed };
}

export type Person = Vouched | { readonly why: string };

/** Throws as `callSlack` does. `from`: the address that the press came from. */
export async function personOf(
  state: State,
  app: OpenedApp,
  { slackUserId, from }: { readonly slackUserId: string; readonly from: string },
  tools: SlackTools,
): Promise<Person> {
  const { data } = await callSlack(app, 'users.info', { user: slackUserId }, Info, tools);
  const found = addressOf(data.user, app);
  if ('why' in found) return found;
  const { organizationId } = app;
  const vouched = await memberByEmail(state, { organizationId, email: found.email, from });
  if (vouched) return vouched;
  const organization = await state.db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return { why: texts.noMember(found.email, organization?.name ?? '') };
}

/** A press of a button or a choice in a menu, as Slack sends it. Pure. See https://docs.slack.dev/reference/interaction-payloads/block_actions-payload. */
import { z } from 'zod';
import { referenceIn, type SlackAction, slackActions, type SlackReference } from '../notify/index.ts';

const id = z.string().max(40);

const Payload = z.object({
  type: z.string().max(60),
  team: z.object({ id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  user: z.object({ id, team_id: id.optional() }),
  response_url: z.string().max(2_000).optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string().max(255),
        block_id: z.string().max(255),
        selected_user: id.nullish(),
      }),
    )
    .max(25)
    .default([]),
});

export interface Press {
  readonly action: SlackAction;
  readonly reference: SlackReference;
  readonly teamId: string | undefined;
  readonly enterpriseId: string | undefined;
  readonly userId: string;
  /** Of `assign`: whom. */
  readonly selectedUserId: string | undefined;
  /** Where answers go. */
  readonly responseUrl: string;
}

/** Undefined: no form with a payload. `ignored`: a payload of which nothing is to be done. */
export function readPress(body: Buffer): Press | 'ignored' | undefined {
  const text = new URLSearchParams(body.toString('utf8')).get('payload');
  const payload = Payload.safeParse(text === null ? undefined : jsonIn(text));
  if (!payload.success) return undefined;
  const { type, team, enterprise, user, response_url: responseUrl, actions } = payload.data;
  const [first] = actions;
  const action = slackActions.find((name) => name === first?.action_id);
  const reference = first && referenceIn(first.block_id);
  if (type !== 'block_actions' || !action || !reference || responseUrl === undefined) return 'ignored';
  const selectedUserId = first.selected_user ?? undefined;
  if (action === 'assign' && selectedUserId === undefined) return 'ignored';
  return {
    action,
    reference,
    teamId: team?.id,
    enterpriseId: enterprise?.id,
    userId: user.id,
    selectedUserId,
    responseUrl,
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Assertions that were taken. A provider posts one from its own site, where the browser shows no cookie of ours that is
 * worth anything; so what it says waits here, sealed, for the moment until the browser comes back with the ticket, on this
 * site and with its cookies. That an assertion was here is known as long as it could come again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Asserted } from '../admit.ts';
import type { FlowStore } from '../flows.ts';
import { refuse } from './refusal.ts';

export interface Answer {
  readonly providerId: string;
  /** Of the flow that it ends. */
  readonly state: string;
  readonly assertionId: string;
  /** Until when the assertion could be believed again, ms. */
  readonly until: number;
  readonly asserted: Asserted;
}

/** A redirect takes seconds. */
const ticketLastsMs = 2 * 60_000;

const stored = z.object({
  state: z.string(),
  until: z.number(),
  asserted: z.object({
    subject: z.string(),
    email: z.string().optional(),
    emailVerified: z.boolean(),
    name: z.string().optional(),
    groups: z.array(z.string()),
    secondFactor: z.boolean(),
  }),
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const placeOf = (ticketHash: string): string => `SAML answer ${ticketHash}`;

/** Returns the ticket. Throws `SamlRefusal` where the assertion was taken before. */
export async function keepAnswer({ state, box }: FlowStore, answer: Answer, now: number): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const ticketHash = hashOf(ticket);
  const data: z.input<typeof stored> = {
    state: answer.state,
    until: now + ticketLastsMs,
    asserted: { ...answer.asserted, groups: [...answer.asserted.groups] },
  };
  const kept = await state.transaction(async (trx) => {
    await trx.deleteFrom('saml_answer').where('expires_at', '<=', now).execute();
    return trx
      .insertInto('saml_answer')
      .values({
        provider_id: answer.providerId,
        assertion_hash: hashOf(answer.assertionId),
        ticket_hash: ticketHash,
        data: box.seal(JSON.stringify(data), placeOf(ticketHash)),
        expires_at: answer.until,
      })
      .onConflict((conflict) => conflict.columns(['provider_id', 'assertion_hash']).doNothing())
      .returning('assertion_hash')
      .executeTakeFirst();
  });
  if (!kept) refuse('replayed');
  return ticket;
}

/** Once; undefined where there is none such. */
export async function takeAnswer(
  { state, box }: FlowStore,
  asked: { readonly providerId: string; readonly state: string; readonly ticket: string },
  now: number,
): Promise<Asserted | undefined> {
  const ticketHash = hashOf(asked.ticket);
  const row = await state.db
    .selectFrom('saml_answer')
    .select(['provider_id', 'data'])
    .where('ticket_hash', '=', ticketHash)
    .executeTakeFirst();
  const taken =
    row &&
    (await state.db
      .updateTable('saml_answer')
      .set({ ticket_hash: null, data: '' })
      .where('ticket_hash', '=', ticketHash)
      .returning('provider_id')
      .executeTakeFirst());
  const text = taken && box.open(row.data, placeOf(ticketHash));
  if (text === undefined) return undefined;
  const { state: own, until, asserted } = stored.parse(JSON.parse(text));
  const isOwn = own === asked.state && row?.provider_id === asked.providerId && until > now;
  return isOwn ? { email: undefined, name: undefined, ...asserted } : undefined;
}

/**
 * Sign-ins that are under way: what the answer of a provider is held against. One is known by its `state`, belongs to the
 * browser that began it, and ends with its first answer, on whichever node.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TextBox } from '../../base/secrets/index.ts';
import type { State } from '../../ports/state/state.ts';

export interface Flow {
  readonly providerId: string;
  /** A path of the console, to which somebody wanted to go. */
  readonly returnTo: string;
  /** What the kind of provider has to know again, such as a nonce. */
  readonly kept: Readonly<Record<string, string>>;
}

interface Stored extends Flow {
  readonly browserHash: string;
}

/** What a browser and the provider are given. */
export interface BegunFlow {
  readonly state: string;
  /** For a cookie of that browser. */
  readonly browser: string;
}

export const flowLastsMs = 10 * 60_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const placeOf = (stateHash: string): string => `sign-in flow ${stateHash}`;
const secret = (): string => randomBytes(32).toString('base64url');

export interface FlowStore {
  readonly state: State;
  readonly box: TextBox;
}

/** `ask` makes the question to the provider, of the `state` that goes with it; what it throws leaves nothing behind. */
export async function beginFlow<T>(
  { state, box }: FlowStore,
  flow: Omit<Flow, 'kept'>,
  now: number,
  ask: (stateText: string) => Promise<{ readonly kept: Flow['kept']; readonly result: T }>,
): Promise<BegunFlow & { readonly result: T }> {
  const begun = { state: secret(), browser: secret() };
  const stateHash = hashOf(begun.state);
  const { kept, result } = await ask(begun.state);
  const stored: Stored = { ...flow, kept, browserHash: hashOf(begun.browser) };
  await state.transaction(async (trx) => {
    await trx.deleteFrom('sign_in_flow').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('sign_in_flow')
      .values({
        state_hash: stateHash,
        provider_id: flow.providerId,
        data: box.seal(JSON.stringify(stored), placeOf(stateHash)),
        expires_at: now + flowLastsMs,
      })
      .execute();
  });
  return { ...begun, result };
}

/** Of which provider one is that still waits, without ending it. */
export async function peekFlow(
  { state: { db } }: FlowStore,
  stateText: string,
  now: number,
): Promise<Pick<Flow, 'providerId'> | undefined> {
  const row = await db
    .selectFrom('sign_in_flow')
    .select('provider_id')
    .where('state_hash', '=', hashOf(stateText))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && { providerId: row.provider_id };
}

/** Undefined where there is none such: over, answered, of another provider, or of another browser. */
export async function endFlow(
  { state, box }: FlowStore,
  answer: { readonly state: string; readonly browser: string | undefined; readonly providerId: string },
  now: number,
): Promise<Flow | undefined> {
  const stateHash = hashOf(answer.state);
  // Gone before it is looked at: two answers at once do not both find it.
  const row = await state.db
    .deleteFrom('sign_in_flow')
    .where('state_hash', '=', stateHash)
    .returning(['provider_id', 'data', 'expires_at'])
    .executeTakeFirst();
  const text = row && row.expires_at > now ? box.open(row.data, placeOf(stateHash)) : undefined;
  if (text === undefined) return undefined;
  const { browserHash, ...flow } = JSON.parse(text) as Stored;
  const isOwn = answer.browser !== undefined && sameText(hashOf(answer.browser), browserHash);
  return isOwn && flow.providerId === answer.providerId ? flow : undefined;
}

const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** A path of the console alone: whatever else an address may be, or hide, leads to the front. */
export function ownPath(text: string | undefined): string {
  const base = 'http://own.invalid';
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\'))
    return '/';
  if (!URL.canParse(text, base)) return '/';
  const { origin, pathname, search, hash } = new URL(text, base);
  if (origin !== base || pathname.startsWith('//') || /^\/(?:api|sign-in)(?:\/|$)/.test(pathname)) return '/';
  return `${pathname}${search}${hash}`;
}

/**
 * Domains of a provider. Who gets in by an address must be sure to have it, and so must the organisation have the domain:
 * an owner of the installation says so, or there is one organisation only, or a TXT record of the domain does.
 */
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { isInstallationOwner } from '../accounts/index.ts';
import { providerInputs } from '../../base/texts/providers.ts';
import type { Domain, Moment, Provider } from './provider.ts';

/** Texts of the TXT records of a name; none where there is no such name. */
export type LookUpTexts = (name: string) => Promise<readonly string[]>;

const noRecord = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN']);

/** By the DNS servers of the system, unless others are given. */
export async function lookUpTexts(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (error instanceof Error && 'code' in error && noRecord.has(String(error.code))) return [];
    throw error;
  }
}

/** Where a record stands, and what it says. */
export const recordOf = ({ domain, proof }: Domain): { readonly name: string; readonly value: string } => ({
  name: `_culprit.${domain}`,
  value: `culprit-domain=${proof}`,
});

/** Whether somebody is believed without a record. */
export async function isVouched(state: State, userId: string): Promise<boolean> {
  if (await isInstallationOwner(state, userId)) return true;
  const organizations = await state.db.selectFrom('organization').select('id').limit(2).execute();
  return organizations.length < 2;
}

/** Those that stay are what they were. Throws `DOMAIN_TAKEN`. */
export async function setDomains(
  trx: StateTransaction,
  providerId: string,
  domains: readonly string[],
  { now, vouched }: Moment,
): Promise<void> {
  let removed = trx.deleteFrom('sign_in_domain').where('provider_id', '=', providerId);
  if (domains.length) removed = removed.where('domain', 'not in', domains);
  await removed.execute();
  const staying = await trx
    .selectFrom('sign_in_domain')
    .select('domain')
    .where('provider_id', '=', providerId)
    .execute();
  const known = new Set(staying.map(({ domain }) => domain));
  const added = domains.filter((domain) => !known.has(domain));
  if (added.length) {
    await refuseTaken(trx, providerId, added);
    const proof = (): string => randomBytes(16).toString('hex');
    await trx
      .insertInto('sign_in_domain')
      .values(
        added.map((domain) => ({ domain, provider_id: providerId, proof: proof(), verified_at: vouched ? now : null })),
      )
      .execute();
  }
  if (vouched && known.size) {
    const waiting = staying.map(({ domain }) => domain);
    await refuseTaken(trx, providerId, waiting);
    await markVerified(trx, providerId, waiting, now);
  }
}

async function refuseTaken(trx: StateTransaction, providerId: string, domains: readonly string[]): Promise<void> {
  const taken = await trx
    .selectFrom('sign_in_domain')
    .select('domain')
    .where('domain', 'in', domains)
    .where('provider_id', '!=', providerId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  if (taken) throw new CodedError('DOMAIN_TAKEN', [taken.domain]);
}

async function markVerified(
  trx: StateTransaction,
  providerId: string,
  domains: readonly string[],
  now: number,
): Promise<void> {
  await trx
    .updateTable('sign_in_domain')
    .set({ verified_at: now })
    .where('provider_id', '=', providerId)
    .where('domain', 'in', domains)
    .where('verified_at', 'is', null)
    .execute();
}

/** Those that wait and whose record is there. Throws `INPUT_INVALID` where names cannot be resolved. */
export async function findVerified(provider: Provider, lookUp: LookUpTexts = lookUpTexts): Promise<string[]> {
  const waiting = provider.domains.filter(({ verifiedAt }) => verifiedAt === null);
  const found = await Promise.all(
    waiting.map(async (one) => {
      const { name, value } = recordOf(one);
      const texts = await lookUp(name).catch((error: unknown) => {
        throw new CodedError('INPUT_INVALID', [providerInputs.unresolved(name)], { cause: error });
      });
      return texts.includes(value) ? [one.domain] : [];
    }),
  );
  return found.flat();
}

/** Throws `DOMAIN_TAKEN`. */
export async function verifyDomains(
  state: State,
  { id }: Pick<Provider, 'id'>,
  domains: readonly string[],
  now: number,
): Promise<void> {
  if (!domains.length) return;
  await state.transaction(async (trx) => {
    await refuseTaken(trx, id, domains);
    await markVerified(trx, id, domains, now);
  });
}

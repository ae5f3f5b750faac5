/** Tokens by which a directory provisions an organisation, for its owners. */
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { expiryOf } from '../../domains/accounts/index.ts';
import * as domain from '../../domains/provisioning/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

export function provisioningRoutes(api: Api): void {
  const { state, getUrl } = api.deps;

  const toToken = (token: domain.ScimToken) => ({
    id: String(token.id),
    name: token.name,
    tokenLastCharacters: token.hint,
    dateCreated: iso(token.createdAt),
    dateLastUsed: isoOrNull(token.lastUsedAt),
    expiresAt: isoOrNull(token.expiresAt),
    createdBy: token.makerName,
  });

  implement(api, contract.getProvisioning, async ({ caller: { membership } }) => {
    const { organizationId } = membership;
    const [size, tokens] = await Promise.all([
      domain.directorySize(state.db, organizationId),
      domain.listScimTokens(state, organizationId),
    ]);
    return { baseUrl: `${getUrl()}/scim/v2`, ...size, tokens: tokens.map(toToken) };
  });

  implement(api, contract.createScimToken, async ({ caller, body, recorded }) => {
    const { organizationId } = caller.membership;
    const now = Date.now();
    const asked = typeof body.expiresAt === 'string' ? Date.parse(body.expiresAt) : body.expiresAt;
    const expiresAt = expiryOf(asked, caller.identity.token?.expiresAt ?? null, now);
    const input = { organizationId, name: body.name, makerId: caller.identity.userId, expiresAt };
    const made = await recorded(async (inside, note) => {
      const created = await domain.createScimToken(inside, input, now);
      const details = { kind: 'scim', expires: isoOrNull(expiresAt) ?? 'never' };
      note({ id: created.id, name: body.name }, { details });
      return created;
    });
    const token = (await domain.listScimTokens(state, organizationId)).find(({ id }) => id === made.id);
    if (!token) throw new CodedError('NOT_FOUND', [things.token(made.id)]);
    return { ...toToken(token), token: made.token };
  });

  implement(api, contract.deleteScimToken, async ({ caller, params, recorded }) => {
    const { organizationId } = caller.membership;
    const id = /^\d{1,9}$/.test(params.id) ? Number(params.id) : -1;
    await recorded(async (inside, note) => {
      const deleted = await domain.deleteScimToken(inside, { organizationId, id });
      if (!deleted) throw new CodedError('NOT_FOUND', [things.token(params.id)]);
      note(deleted, { details: { kind: 'scim' } });
    });
  });
}

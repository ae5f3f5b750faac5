/** Providers of an organisation. */
import * as providers from '../../domains/providers/index.ts';
import { CodedError } from '../../base/errors.ts';
import { peopleOf, type Team } from '../../domains/teams/index.ts';
import type { Membership } from '../../domains/accounts/index.ts';
import type { Note } from '../../domains/audit/index.ts';
import type { State } from '../../ports/state/state.ts';
import { type Api, implement } from '../shared/implement.ts';
import { domainText } from '../../base/texts/providers.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { toProvider } from './shapes.ts';

export function providerRoutes(api: Api): void {
  const { state, accounts, signIns, live } = api.deps;
  const { box } = signIns;

  const providerOf = async ({ organizationId }: Membership, id: string): Promise<providers.Provider> => {
    const found = await providers.findProvider({ db: state.db, box }, id);
    if (found?.organizationId !== organizationId) throw new CodedError('NOT_FOUND', [things.provider(id)]);
    return found;
  };

  const shownAll = async ({ organizationId }: Membership, some: readonly providers.Provider[]) => {
    const [{ teams }, people, demand] = await Promise.all([
      peopleOf(state, organizationId),
      providers.countPeople(
        state,
        some.map(({ id }) => id),
      ),
      accounts.demands.of(organizationId),
    ]);
    return some.map((one) =>
      toProvider(one, {
        teams,
        people: people.get(one.id) ?? 0,
        required: demand.providerId === one.id,
        callbackUrl: signIns.callbackOf(one.id),
      }),
    );
  };
  const shown = async (membership: Membership, id: string) => {
    const [one] = await shownAll(membership, [await providerOf(membership, id)]);
    if (!one) throw new CodedError('NOT_FOUND', [things.provider(id)]);
    return one;
  };

  /** Teams by their numbers. */
  const mappingOf = (
    teams: readonly Team[],
    rows: readonly {
      readonly value: string;
      readonly role: providers.MappingRow['role'];
      readonly team: string | null;
    }[],
  ): providers.MappingRow[] =>
    rows.map(({ value, role, team }) => {
      const found = team === null ? undefined : teams.find(({ slug }) => slug === team);
      if (team !== null && !found) throw new CodedError('NOT_FOUND', [things.team(team)]);
      return { value, role, teamId: found?.id ?? null };
    });

  const endedSessions = (userIds: readonly string[]): void => {
    for (const userId of userIds) live.publish({ type: 'access', userId });
  };

  const told = ({ name, enabled, domains, joins, defaultRole, mapping, settings }: providers.Provider) => ({
    name,
    enabled,
    joins,
    defaultRole,
    settings,
    domains: domains.map(({ domain, verifiedAt }) => domainText(domain, verifiedAt !== null)),
    mapping: JSON.stringify(mapping),
  });

  /** With what it was and is now, in the transaction of the change. */
  const noteChange = async (inside: State, note: Note, before: providers.Provider): Promise<void> => {
    const after = await providers.findProvider({ db: inside.db, box }, before.id);
    const { id, name, kind } = before;
    note(
      { id, name },
      { action: 'sign_in_provider.update', before: told(before), after: told(after ?? before), details: { kind } },
    );
  };

  implement(api, contract.listSignInProviders, async ({ caller: { membership } }) =>
    shownAll(membership, await providers.listProviders({ state, box }, membership.organizationId)),
  );

  implement(api, contract.getSignInProvider, async ({ caller: { membership }, params }) =>
    shown(membership, params.id),
  );

  implement(api, contract.createSignInProvider, async ({ caller: { membership, identity }, body, recorded }) => {
    const { organizationId } = membership;
    const { teams } = await peopleOf(state, organizationId);
    const vouched = await providers.isVouched(state, identity.userId);
    const input = { ...body, mapping: mappingOf(teams, body.mapping) };
    const id = await recorded(async (inside, note) => {
      const moment = { now: Date.now(), vouched };
      const made = await providers.createProvider({ state: inside, box }, organizationId, input, moment);
      note({ id: made, name: body.name }, { details: { kind: body.kind } });
      return made;
    });
    return shown(membership, id);
  });

  implement(
    api,
    contract.updateSignInProvider,
    async ({ caller: { membership, identity }, params, body, recorded }) => {
      const provider = await providerOf(membership, params.id);
      const { mapping, ...rest } = body;
      const { teams } = await peopleOf(state, membership.organizationId);
      const vouched = await providers.isVouched(state, identity.userId);
      const change = { ...rest, ...(mapping && { mapping: mappingOf(teams, mapping) }) };
      const ended = await recorded(async (inside, note) => {
        const moment = { now: Date.now(), vouched };
        const userIds = await providers.changeProvider({ state: inside, box }, provider, change, moment);
        await noteChange(inside, note, provider);
        return userIds;
      });
      endedSessions(ended);
      return shown(membership, provider.id);
    },
  );

  implement(api, contract.deleteSignInProvider, async ({ caller: { membership }, params, recorded }) => {
    const provider = await providerOf(membership, params.id);
    const { id, name, kind } = provider;
    const ended = await recorded(async (inside, note) => {
      note({ id, name }, { details: { kind } });
      return providers.deleteProvider({ state: inside, box }, provider);
    });
    endedSessions(ended);
  });

  implement(api, contract.testSignInProvider, async ({ caller: { membership }, body: { kind, settings, id } }) =>
    signIns.probe(kind, settings, id === undefined ? undefined : await providerOf(membership, id)),
  );

  implement(api, contract.verifySignInDomains, async ({ caller: { membership }, params, recorded }) => {
    const provider = await providerOf(membership, params.id);
    const found = await providers.findVerified(provider, signIns.lookUpTexts);
    if (found.length) {
      await recorded(async (inside, note) => {
        await providers.verifyDomains(inside, provider, found, Date.now());
        await noteChange(inside, note, provider);
      });
    }
    return shown(membership, provider.id);
  });

  implement(api, contract.updateRequiredProvider, async ({ caller: { membership, identity }, body, deed }) => {
    const { organizationId } = membership;
    const provider = body.provider === null ? undefined : await providerOf(membership, body.provider);
    if (provider && !(provider.enabled && identity.shown?.way === `provider:${provider.id}`)) {
      throw new CodedError('PROVIDER_NOT_SHOWN', [provider.name]);
    }
    const all = await providers.listProviders({ state, box }, organizationId);
    const nameOf = (id: string | null): string | null => all.find((one) => one.id === id)?.name ?? id;
    const told = ({ providerId }: { readonly providerId: string | null }) => ({ requiredProvider: nameOf(providerId) });
    const target = { id: organizationId, name: membership.slug };
    const { actor, source } = deed;
    const change = { providerId: provider?.id ?? null };
    await accounts.demands.set(organizationId, change, Date.now(), (trx, { before, after }) =>
      api.deps.audit.record(trx, [
        {
          organizationId,
          action: 'organization.update',
          actor,
          source,
          target,
          before: told(before),
          after: told(after),
        },
      ]),
    );
    return { provider: provider?.id ?? null };
  });
}

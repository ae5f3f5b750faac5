/** A provider as its organisation's owners see it: never its secrets. */
import type { z } from 'zod';
import { kindFacts, type Provider, recordOf, samlSide } from '../../domains/providers/index.ts';
import type { Team } from '../../domains/teams/index.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import type { SignInProvider } from './contract.ts';

export interface About {
  readonly teams: readonly Team[];
  readonly people: number;
  readonly required: boolean;
  readonly callbackUrl: string;
}

export function toProvider(provider: Provider, about: About): z.output<typeof SignInProvider> {
  const { secrets } = kindFacts[provider.kind];
  const { teams, ...rest } = about;
  return {
    ...rest,
    id: provider.id,
    kind: provider.kind,
    name: provider.name,
    domains: provider.domains.map((one) => ({
      domain: one.domain,
      verified: one.verifiedAt !== null,
      record: one.verifiedAt === null ? recordOf(one) : null,
    })),
    settings: Object.fromEntries(Object.entries(provider.settings).filter(([key]) => !secrets.includes(key))),
    secrets: secrets.filter((key) => provider.settings[key] !== undefined),
    saml: provider.kind === 'saml' ? samlSide(provider, about.callbackUrl) : null,
    enabled: provider.enabled,
    joins: provider.joins,
    defaultRole: provider.defaultRole as z.output<typeof SignInProvider>['defaultRole'],
    mapping: provider.mapping.map(({ value, role, teamId }) => ({
      value,
      role,
      team: teams.find(({ id }) => id === teamId)?.slug ?? null,
    })),
    problem: provider.problem,
    problemAt: isoOrNull(provider.problemAt),
    lastUsed: isoOrNull(provider.lastUsedAt),
    dateCreated: iso(provider.createdAt),
  };
}

/** Rules of ownership as the API gives them. */
import type { z } from 'zod';
import type { Codeowners, Owner, Owners, Ownership } from '../../domains/ownership/index.ts';
import { problemsOf, unknownNames } from '../../domains/ownership/index.ts';
import type { AutoAssignment } from '../../ports/state/team-tables.ts';
import type { getOwnership, listCodeowners, Owner as OwnerSchema } from './contract.ts';
import { iso } from '../shared/read.ts';

const modes = {
  owners: 'Auto Assign to Issue Owner',
  commits: 'Auto Assign to Suspect Commits',
  off: 'Turn off Auto-Assignment',
} as const satisfies Record<AutoAssignment, string>;

type Mode = (typeof modes)[AutoAssignment];

export const autoAssignmentOf = (mode: Mode): AutoAssignment =>
  mode === modes.owners ? 'owners' : mode === modes.commits ? 'commits' : 'off';

export const toOwner = (owner: Owner): z.output<typeof OwnerSchema> =>
  owner.kind === 'user'
    ? { type: 'user', id: owner.id, name: owner.name, email: owner.email }
    : { type: 'team', id: String(owner.id), name: owner.name, slug: owner.slug };

export function toCodeowners(file: Codeowners, owners: Owners): z.output<typeof listCodeowners.response>[number] {
  const { sections, problems } = file.parsed;
  return {
    id: String(file.id),
    raw: file.raw,
    repositoryId: file.repositoryId === null ? null : String(file.repositoryId),
    repositoryName: file.repositoryName,
    names: Object.fromEntries(file.names),
    rules: sections.reduce((sum, rules) => sum + rules.length, 0),
    unknown: unknownNames(file, owners),
    problems: problems.map((one) => ({ ...one })),
    dateCreated: iso(file.createdAt),
    dateUpdated: iso(file.updatedAt),
  };
}

export function toOwnership(ownership: Ownership, owners: Owners): z.output<typeof getOwnership.response> {
  const { raw, autoAssignment, updatedAt, codeowners } = ownership;
  return {
    raw,
    autoAssignment: modes[autoAssignment],
    fallthrough: false,
    isActive: true,
    problems: problemsOf(raw, owners),
    codeowners: codeowners.map((file) => toCodeowners(file, owners)),
    lastUpdated: updatedAt === null ? null : iso(updatedAt),
  };
}

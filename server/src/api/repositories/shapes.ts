/** Repositories and code mappings as Sentry's API gives them. */
import type { z } from 'zod';
import type { CodeMapping, MappingSuggestion, Repository } from '../../domains/repositories/index.ts';
import type * as contract from './contract.ts';
import { webLink } from '../shared/web-address.ts';
import { iso } from '../shared/read.ts';

const orNull = (text: string): string | null => (text === '' ? null : text);

const providers: Readonly<Record<string, { id: string; name: string }>> = {
  github: { id: 'integrations:github', name: 'GitHub' },
  gitlab: { id: 'integrations:gitlab', name: 'GitLab' },
  bitbucket: { id: 'integrations:bitbucket', name: 'Bitbucket' },
};
const otherProvider = { id: 'git', name: 'Git' };

/** The ids are what Sentry's clients compare remotes by. */
export const toProvider = (provider: string): { id: string; name: string } => providers[provider] ?? otherProvider;

export const toRepository = (one: Repository): z.output<typeof contract.Repository> => ({
  id: String(one.id),
  name: one.name,
  url: webLink(one.url),
  provider: toProvider(one.provider),
  externalSlug: one.name,
  status: 'active',
  dateCreated: iso(one.createdAt),
  defaultBranch: orNull(one.defaultBranch),
  linkTemplate: orNull(one.linkTemplate),
  configured: one.isConfigured,
});

export const toCodeMapping = (one: CodeMapping, projectSlug: string): z.output<typeof contract.CodeMapping> => ({
  id: String(one.id),
  projectId: String(one.projectId),
  projectSlug,
  repoId: String(one.repository.id),
  repoName: one.repository.name,
  provider: toProvider(one.repository.provider),
  stackRoot: one.stackRoot,
  sourceRoot: one.sourceRoot,
  defaultBranch: orNull(one.branch),
});

export const toSuggestion = (
  one: MappingSuggestion,
): z.output<typeof contract.suggestCodeMappings.response>[number] => ({
  repoId: String(one.repository.id),
  repoName: one.repository.name,
  stackRoot: one.stackRoot,
  sourceRoot: one.sourceRoot,
  frame: one.frame,
  file: one.file,
  frames: one.frames,
});

/** Incoming webhooks: what providers are answered, and what the console shows of it. */
import { listed, plural } from './intl.ts';

/** Names of deploys: a deploy that is told twice is known by it. */
export const deployNames = {
  github: (id: string): string => `GitHub ${id}`,
  gitlab: (id: string): string => `GitLab ${id}`,
  vercel: (id: string): string => `Vercel ${id}`,
  netlify: (id: string): string => `Netlify ${id}`,
} as const;

export const incoming = {
  tooMany: (most: number): string => `an organisation can have at most ${most} incoming webhooks`,
  secretOfVercel: 'secret: Vercel makes the secret. Create the webhook there, then enter its secret here',
  noSecret: 'no secret is set yet. Enter the one that the provider shows in Settings, Webhooks',
  otherKey: 'the secret here was sealed with another key. Create a new one in Settings, Webhooks',
  unsigned: (header: string): string =>
    `the header ${header} is missing. Set the secret of the webhook at the provider`,
  wrongSignature: (header: string): string =>
    `${header} does not match. Compare the secret at the provider with the one that Culprit showed, or create a new one`,
  wrongToken: (header: string): string => `${header} is not the secret that Culprit showed. Set it at the provider`,
  json: 'the body is not a JSON object. Choose application/json as content type at the provider',
  templateNeeds: 'must contain {commit}, {tag} or {version}',
  templateUnknown: (word: string): string => `has ${word}, which is not known. Use {commit}, {tag} or {version}`,

  post: 'This address receives webhooks by POST. Enter it at the provider.',
  longEnvironment: (most: number): string => `environment: must have at most ${most} characters`,
  ping: 'It works. Culprit has received the test.',
  repeated: 'This delivery was received before. Nothing was done again.',
  event: (event: string): string => `Events of type ${event} make no release or deploy.`,
  noEvent: 'The request names no event.',
  deleted: (ref: string): string => `${ref} was deleted.`,
  branch: (branch: string, main: string): string => `Push to ${branch}. Only pushes to ${main} create releases.`,
  action: (what: string): string => `The action ${what} makes no release.`,
  draft: 'A draft is no release yet.',
  status: (status: string): string => `The status is ${status}. Only those that succeeded become deploys.`,
  noMapping: (name: string): string => `No mapping is for ${name}. Add one in Settings, Webhooks.`,
  noName: 'The request names no repository or site.',
  environment: (environment: string): string => `No mapping wants deploys to ${environment}.`,
  noTag: (rule: string): string => `The version ${rule} needs a tag. Send tag pushes as well.`,
  noCommit: (rule: string): string => `The version ${rule} needs a commit, and the request names none.`,
  noProjects: 'The projects of this mapping were deleted.',
  kept: (count: number): string => `${plural(count, 'commit', 'commits')} kept for the next release.`,
  release: (version: string, projects: readonly string[], isNew: boolean): string =>
    `${isNew ? 'Created' : 'Updated'} release ${version} of ${listed(projects, 'and')}.`,
  commits: (count: number): string => `${plural(count, 'commit', 'commits')}.`,
  deploy: (environment: string): string => `Deployed to ${environment}.`,
  deployKnown: (environment: string): string => `The deploy to ${environment} is known already.`,
} as const;

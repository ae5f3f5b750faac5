/** What errors name: "Project web not found.", "The repository acme/web is already in use." */
const named = (what: string) => (name: string | number) => `${what} ${name}`;

export const things = {
  alertRule: named('alert rule'),
  alias: named('project ID'),
  attachment: named('attachment'),
  backup: named('backup'),
  bulkChange: named('change'),
  bundle: named('bundle'),
  channel: named('channel'),
  codeMapping: named('code mapping'),
  codeowners: named('CODEOWNERS file'),
  comment: named('comment'),
  databaseQuery: named('database query'),
  delivery: named('delivery'),
  discardedIssue: named('discarded issue'),
  erasure: named('request to erase'),
  certificate: (id: string, state: string) => `certificate of request ${id}, which is in the state "${state}"`,
  event: named('event'),
  export: named('export'),
  feedback: named('feedback'),
  hold: (project: string) => `hold of the project ${project}`,
  hash: (hash: string, issue: string | number) => `hash ${hash} of issue ${issue}`,
  hashes: (issue: string | number) => `one of the hashes of issue ${issue}`,
  installation: (dir: string) => `installation in ${dir}`,
  invitation: named('invitation'),
  issue: named('issue'),
  item: named('item'),
  key: 'key',
  restorePoint: 'restore point',
  log: named('log'),
  member: named('member'),
  merge: (issue: string | number, into: string | number) => `merge of issue ${issue} into issue ${into}`,
  organization: named('organisation'),
  anOrganization: 'organisation',
  otherIssue: named('another issue'),
  passkey: named('passkey'),
  preview: named('preview'),
  environment: (name: string) => `Environment ${name}`,
  project: named('project'),
  mirror: (project: string) => `mirror of the project ${project}`,
  projectKey: named('key'),
  runningServer: (dataDir: string) => `running server for ${dataDir}`,
  provider: named('provider'),
  quota: named('quota'),
  release: named('release'),
  repository: named('repository'),
  savedQuery: named('saved query'),
  savedSearch: named('saved search'),
  session: named('session'),
  sharedIssue: named('shared issue'),
  span: named('span'),
  tag: named('tag'),
  team: named('team'),
  token: named('token'),
  transaction: named('transaction'),
  user: named('user'),
  watch: named('watch'),
  webhook: named('webhook'),
  fileOfExport: (id: string | number, status: string) => `file of export ${id} (${status})`,
  request: (method: string, path: string) => `${method} ${path}`,
} as const;

/** What is already in use. */
export const taken = {
  address: named('the address'),
  id: named('the ID'),
  mapping: (root: string) => `a code mapping for "${root}"`,
  repository: named('the repository'),
  slug: named('the slug'),
  team: (slug: string) => `the team #${slug}`,
} as const;

/** The project for failures of Culprit. */
export const internalProject = 'Culprit itself';

export const quoted = (name: string | number): string => `"${name}"`;

/** How many of a thing there can be. */
export const limits = {
  aliases: (max: number) => `a project can have at most ${max} other IDs`,
  codeMappings: (max: number) => `a project can have at most ${max} code mappings`,
  codeowners: (max: number) => `a project can have at most ${max} CODEOWNERS files`,
  deploys: (max: number) => `a release can have at most ${max} deploys`,
  invitations: (max: number) => `an organisation can have at most ${max} open invitations`,
  providers: (max: number) => `an organisation can have at most ${max} providers`,
  repositories: (max: number) => `an organisation can have at most ${max} repositories`,
  scimTokens: (max: number) => `an organisation can have at most ${max} SCIM tokens`,
  serviceAccounts: (max: number) => `an organisation can have at most ${max} service accounts`,
  teams: (max: number) => `an organisation can have at most ${max} teams`,
} as const;

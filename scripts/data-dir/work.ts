/** What people do: issues of every status, a team, alerts, searches, releases. */
import { type HttpReceiver, openHttpReceiver } from '../../server/src/domains/notify/testing/receiver.ts';
import type { Server } from '../../server/test/harness.ts';
import type { OldProject } from '../../fixtures/data-dirs/index.ts';
import { errorOf, sendEvent } from './traffic.ts';

type Json = Readonly<Record<string, unknown>>;

/** The receiver of the channel, which must be allowed before the server starts. */
export const openReceiver = openHttpReceiver;

export class Person {
  readonly #server: Server;
  readonly #token: string;
  constructor(server: Server, token: string) {
    this.#server = server;
    this.#token = token;
  }

  async call<T>(method: string, path: string, body?: Json): Promise<T> {
    const response = await fetch(`${this.#server.url}/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} for ${method} ${path}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

export const channelSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

export interface Team {
  readonly memberToken: string;
  readonly invitation: { readonly token: string; readonly email: string };
}

interface Made {
  readonly id: string;
}

const tokenOfLink = (link: string): string => link.replace(/\/$/, '').split('/').at(-1) ?? '';

/** A member with a token, and an invitation that nobody has taken. */
export async function makeTeam(server: Server, owner: Person, { slug }: OldProject): Promise<Team> {
  const invite = async (email: string): Promise<string> =>
    tokenOfLink(
      (await owner.call<{ inviteLink: string }>('POST', '/organizations/acme/members/', { email, role: 'member' }))
        .inviteLink,
    );
  const taken = await invite('mary@example.com');
  const accepted = await fetch(`${server.url}/api/0/invitations/${taken}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ name: 'Mary', password: 'another good phrase' }),
  });
  if (!accepted.ok) throw new Error(`${accepted.status}: ${await accepted.text()}`);
  const cookie = accepted.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const made = await fetch(`${server.url}/api/0/organizations/acme/api-tokens/`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ name: "Mary's", scopes: ['org:read', 'project:read', 'event:read', 'event:write'] }),
  });
  if (!made.ok) throw new Error(`${made.status}: ${await made.text()}`);
  const { token: memberToken } = (await made.json()) as { token: string };
  await owner.call('POST', '/organizations/acme/teams/', {
    name: 'Checkout',
    slug: 'checkout',
    projects: [slug],
    members: [],
  });
  const [mary] = (await owner.call<{ id: string; email: string }[]>('GET', '/organizations/acme/members/')).filter(
    ({ email }) => email === 'mary@example.com',
  );
  await owner.call('POST', `/organizations/acme/members/${mary?.id}/teams/checkout/`);
  const email = 'nina@example.com';
  return { memberToken, invitation: { email, token: await invite(email) } };
}

/** A webhook, a rule that fires at once and one of a number; resolves once it fired. */
export async function makeAlerts(
  server: Server,
  owner: Person,
  receiver: HttpReceiver,
  project: OldProject,
): Promise<string> {
  const { id } = await owner.call<Made>('POST', '/organizations/acme/channels/', {
    type: 'webhook',
    name: 'Hook',
    config: { url: `${receiver.url}/hook`, secret: channelSecret },
  });
  await owner.call('POST', '/organizations/acme/channels/', {
    type: 'slack',
    name: 'Slack',
    config: { url: 'https://hooks.slack.com/services/T000/B000/abcdefghijkl' },
    quietHours: { timeZone: 'Europe/Berlin', from: '22:00', until: '07:00', days: [1, 2], criticalPasses: true },
    enabled: false,
  });
  await owner.call('POST', '/organizations/acme/alert-rules/', {
    kind: 'issue',
    name: 'New in the shop',
    projectIds: [project.id],
    channelIds: [id],
    digestMinutes: 0,
    conditions: [{ type: 'new_issue' }],
  });
  const muted = await owner.call<Made>('POST', '/organizations/acme/alert-rules/', {
    kind: 'metric',
    name: 'Many errors',
    channelIds: [id],
    metric: {
      dataset: 'errors',
      aggregate: 'count()',
      minutes: 60,
      comparison: { type: 'static' },
      direction: 'above',
      warning: null,
      critical: 100_000,
      resolve: null,
      noData: 'ok',
    },
  });
  await owner.call('POST', `/organizations/acme/alert-rules/${muted.id}/mute/`, { minutes: 480 });
  const event = {
    name: 'alert',
    type: 'AlertError',
    value: 'Somebody must know',
    file: '/app/alert.js',
    line: 4,
    at: Date.now(),
  };
  await sendEvent(project.dsn, errorOf(event));
  await server.until('the channel was called', () => receiver.calls.length > 0);
  return id;
}

interface Issue {
  readonly id: string;
  readonly title: string;
}

/** By the first word of the title. */
async function issuesOf(owner: Person, project: OldProject): Promise<ReadonlyMap<string, Issue>> {
  const path = `/projects/acme/${project.slug}/issues/?query=&statsPeriod=90d&limit=100`;
  const issues = await owner.call<Issue[]>('GET', path);
  return new Map(issues.map((issue) => [issue.title.split(':')[0] ?? '', issue]));
}

/** Merged, resolved, archived, assigned, commented, shared, bookmarked, discarded. Resolves to the id of the share. */
export async function workOnIssues(owner: Person, member: Person, project: OldProject): Promise<string> {
  const issues = await issuesOf(owner, project);
  const idOf = (name: string): string => {
    const issue = issues.get(name);
    if (!issue) throw new Error(`no issue ${name} in ${[...issues.keys()].join(', ')}`);
    return issue.id;
  };
  const change = (name: string, body: Json): Promise<{ shareId: string }> =>
    owner.call('PUT', `/organizations/acme/issues/${idOf(name)}/`, body);
  await owner.call('PUT', `/organizations/acme/issues/?id=${idOf('CheckoutError')}&id=${idOf('SearchError')}`, {
    merge: true,
  });
  await change('MailError', { status: 'resolved', statusDetails: { inRelease: 'shop@1.1.0' } });
  await change('ImageError', { status: 'ignored', substatus: 'archived_forever' });
  await change('StockError', { assignedTo: 'mary@example.com', priority: 'high', isBookmarked: true });
  const { shareId } = await change('RenderError', { isPublic: true, assignedTo: 'team:checkout' });
  await owner.call('POST', `/issues/${idOf('StockError')}/comments/`, { text: 'Who counts the **items**?' });
  await member.call('POST', `/issues/${idOf('StockError')}/comments/`, { text: 'I do.' });
  await change('NoiseError', { discard: true });
  await change('UploadError', { status: 'ignored', statusDetails: { ignoreCount: 1000 } });
  return shareId;
}

export async function makeReleases(owner: Person, project: OldProject): Promise<void> {
  const { id } = await owner.call<Made>('POST', '/organizations/acme/repos/', {
    provider: 'github',
    url: 'https://github.com/acme/shop',
  });
  await owner.call('POST', '/organizations/acme/code-mappings/', {
    project: project.slug,
    repoId: id,
    stackRoot: '/app/',
    sourceRoot: '',
    defaultBranch: 'main',
  });
  for (const version of ['shop@1.0.0', 'shop@1.1.0']) {
    await owner.call('POST', '/organizations/acme/releases/', {
      version,
      projects: [project.slug],
      commits: [
        {
          id: version === 'shop@1.0.0' ? 'a'.repeat(40) : 'b'.repeat(40),
          repository: 'acme/shop',
          message: `${version}: checkout`,
          author_name: 'Mary',
          author_email: 'mary@example.com',
          patch_set: [{ path: 'src/checkout.js', type: 'M' }],
        },
      ],
    });
    const release = `/organizations/acme/releases/${encodeURIComponent(version)}`;
    await owner.call('POST', `${release}/deploys/`, {
      environment: 'production',
      name: version,
      url: 'https://shop.example/',
    });
  }
  await owner.call('PUT', `/projects/acme/${project.slug}/ownership/`, {
    raw: 'path:src/stock* #checkout\n',
  });
  await owner.call('POST', `/projects/acme/${project.slug}/codeowners/`, {
    raw: '/src/mail.js mary@example.com\n',
    repositoryId: id,
  });
}

export async function makeSearches(server: Server, owner: Person): Promise<void> {
  const query = 'is:unresolved release:shop@1.1.0';
  await owner.call('POST', '/organizations/acme/searches/', {
    name: 'New ones',
    query,
    visibility: 'organization',
    isPinned: true,
  });
  await owner.call('POST', '/organizations/acme/recent-searches/', { query: 'stock' });
  const question = {
    dataset: 'spans',
    query: 'span.op:db',
    groupBy: ['span.description'],
    yAxis: ['count()'],
    statsPeriod: '14d',
  };
  await owner.call('POST', '/organizations/acme/explore/saved/', { name: 'Queries', question });
  await owner.call('POST', '/organizations/acme/digest-watches/', { digest: '42424242' });
  const asked = { dataset: 'errors', field: ['id', 'title'], statsPeriod: '14d' };
  const { id } = await owner.call<Made>('POST', '/organizations/acme/data-export/', { format: 'csv', question: asked });
  await server.until('the export', async () => {
    const { status } = await owner.call<{ status: string }>('GET', `/organizations/acme/data-export/${id}/`);
    return status === 'done';
  });
}

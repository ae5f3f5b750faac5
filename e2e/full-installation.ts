/** An installation in which every page of the console has something to show: traffic, people, releases, rules. */
import { type HttpReceiver, openHttpReceiver } from '../server/src/domains/notify/testing/receiver.ts';
import { Server } from '../server/test/harness.ts';
import { sendErrors } from './explore-traffic.ts';
import { sendCheckoutErrors, sendDigest, sendFeedback, sendRareErrors } from './full-events.ts';
import { sendTraffic } from './performance-traffic.ts';
import { sendReleases } from './release-traffic.ts';
import { sendCheckouts } from './traces-traffic.ts';

type Json = Readonly<Record<string, unknown>>;

/** What addresses of pages are made of. */
export interface Made {
  /** Short id of the issue that has all that an issue can have, an event of it, and one that was merged into another. */
  readonly issue: string;
  readonly eventId: string;
  readonly mergedIssue: string;
  readonly digest: string;
  readonly share: string;
  /** Token of an invitation that is open. */
  readonly invitation: string;
  readonly issueRule: string;
  readonly metricRule: string;
  readonly channel: string;
  readonly feedback: string;
}

export interface FullInstallation extends AsyncDisposable {
  readonly server: Server;
  readonly made: Made;
}

const digest = '1930860604';

export async function openFullInstallation(
  environment: Readonly<Record<string, string>> = {},
): Promise<FullInstallation> {
  const receiver = await openHttpReceiver();
  const server = await Server.create({
    CULPRIT_OUTBOUND_ALLOW: new URL(receiver.url).host,
    CULPRIT_PERFORMANCE_WAIT_SECONDS: '1',
    ...environment,
  });
  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  };
  try {
    return { server, made: await fill(server, receiver), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(server: Server, receiver: HttpReceiver): Promise<Made> {
  const { dsn } = server.installed;
  const send = <T>(method: string, path: string, body?: Json): Promise<T> =>
    server.api<T>(path, { method, ...(body && { body: JSON.stringify(body) }) });
  const org = `/organizations/${server.installed.organization}`;
  const project = `/projects/${server.installed.organization}/${server.installed.project}`;

  const invitation = await addPeople(server, send, org);
  await addSources(send, org, project);
  const rules = await addRules(send, org, receiver);
  await sendTraffic(dsn);
  await sendCheckouts(dsn);
  await sendErrors(dsn);
  await sendReleases(dsn);
  await sendRareErrors(dsn);
  await sendDigest(dsn, digest);
  const eventId = await sendCheckoutErrors(dsn, 24);
  await sendFeedback(dsn, eventId);
  await server.drained();

  const { groupID } = await send<{ groupID: string }>('GET', `${project}/events/${eventId}/`);
  const { shortId: issue } = await send<{ shortId: string }>('GET', `${org}/issues/${groupID}/`);
  const found = await send<{ id: string; shortId: string; title: string }[]>(
    'GET',
    `${org}/issues/?statsPeriod=14d&limit=100&query=`,
  );
  const titled = (text: string) => {
    const one = found.find(({ title }) => title.includes(text));
    if (!one) throw new Error(`no issue "${text}" in ${found.map(({ title }) => title).join(', ')}`);
    return one;
  };
  const change = <T>(id: string, body: Json): Promise<T> => send('PUT', `${org}/issues/${id}/`, body);
  await send('POST', `/issues/${groupID}/comments/`, { text: 'The price list was **empty** since the last import.' });
  const { shareId } = await change<{ shareId: string }>(groupID, {
    isPublic: true,
    isBookmarked: true,
    assignedTo: 'team:checkout',
    priority: 'high',
  });
  await change(titled('DeprecationWarning').id, { status: 'ignored', substatus: 'archived_forever' });
  await change(titled('Notice').id, { status: 'resolved' });
  const [merged, into] = [titled('voucher'), titled('delivery')];
  await send('PUT', `${org}/issues/?id=${merged.id}&id=${into.id}`, { merge: true, mergeInto: into.id });
  const { feedback } = await send<{ feedback: { id: string }[] }>('GET', `${org}/feedback/?statsPeriod=14d`);
  await addSearches(send, org);
  await addQuotas(send, org);
  return {
    issue,
    eventId,
    mergedIssue: merged.shortId,
    digest,
    share: shareId,
    invitation,
    ...rules,
    feedback: feedback[0]?.id ?? '',
  };
}

/** One of the organisation and one that is used up. */
async function addQuotas(send: Send, org: string): Promise<void> {
  await send('POST', `${org}/quotas/`, { category: 'span', period: 'month', amount: 1_000_000 });
  await send('POST', `${org}/quotas/`, { project: 'web', category: 'error', period: 'month', amount: 10, hard: false });
}

type Send = <T>(method: string, path: string, body?: Json) => Promise<T>;

/** A second project, two members, two teams; resolves to the token of an invitation that nobody has taken. */
async function addPeople(server: Server, send: Send, org: string): Promise<string> {
  await send('POST', `${org}/projects/`, { name: 'Storefront', platform: 'javascript-nextjs' });
  const invite = async (email: string, role = 'member'): Promise<string> => {
    const { inviteLink } = await send<{ inviteLink: string }>('POST', `${org}/members/`, { email, role });
    return inviteLink.replace(/\/$/, '').split('/').at(-1) ?? '';
  };
  const taken = await invite('kim.lee@example.com', 'admin');
  const answer = await fetch(`${server.url}/api/0/invitations/${taken}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ name: 'Kim Lee', password: 'another good phrase' }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  for (const [name, slug] of [
    ['Checkout', 'checkout'],
    ['Search and discovery', 'search'],
  ])
    await send('POST', `${org}/teams/`, { name, slug, projects: ['web'] });
  const members = await send<{ id: string; email: string }[]>('GET', `${org}/members/`);
  const kim = members.find(({ email }) => email === 'kim.lee@example.com');
  await send('POST', `${org}/members/${kim?.id}/teams/checkout/`);
  await send('POST', `${org}/api-tokens/`, { name: 'CI of the shop', kind: 'organization' });
  return invite('nina@example.com');
}

/** A repository, releases with commits and deploys, owners. */
async function addSources(send: Send, org: string, project: string): Promise<void> {
  const { id } = await send<{ id: string }>('POST', `${org}/repos/`, {
    provider: 'github',
    url: 'https://github.com/acme/shop',
  });
  const mapping = { project: 'web', repoId: id, stackRoot: '/app/', sourceRoot: '', defaultBranch: 'main' };
  await send('POST', `${org}/code-mappings/`, mapping);
  const hour = 3_600_000;
  const made = [
    ['shop@1.0.0', 46, 'Loading of carts is cached', 'src/carts/load.ts'],
    ['shop@1.1.0', 10, 'Delivery can be chosen', 'src/delivery/choose.ts'],
    ['shop@1.2.0', 3, 'Prices come from the new service', 'src/pricing/price-of.ts'],
  ] as const;
  for (const [version, hoursAgo, message, path] of made) {
    const at = new Date(Date.now() - hoursAgo * hour).toISOString();
    await send('POST', `${org}/releases/`, {
      version,
      projects: ['web'],
      dateReleased: at,
      commits: [
        {
          id: Buffer.from(version).toString('hex').padEnd(40, '7').slice(0, 40),
          repository: 'acme/shop',
          message,
          author_name: 'Kim Lee',
          author_email: 'kim.lee@example.com',
          timestamp: at,
          patch_set: [{ path, type: 'M' }],
        },
      ],
    });
    const deploy = { environment: 'production', name: 'blue', dateFinished: at };
    await send('POST', `${org}/releases/${encodeURIComponent(version)}/deploys/`, deploy);
  }
  await send('PUT', `${project}/ownership/`, { raw: '# Money\npath:src/pricing/* #checkout\n' });
  await send('POST', `${project}/codeowners/`, { raw: '/src/search/ kim.lee@example.com\n', repositoryId: id });
  await send('PUT', `${project}/`, { fingerprintingRules: 'error.type:FetchError -> fetch, {{ transaction }}\n' });
}

/** Channels that work, fail and are off; rules of both kinds. */
async function addRules(
  send: Send,
  org: string,
  receiver: HttpReceiver,
): Promise<Pick<Made, 'issueRule' | 'metricRule' | 'channel'>> {
  const add = <T extends { id: string }>(what: string, body: Json): Promise<T> =>
    send<T>('POST', `${org}/${what}/`, body);
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const config = { url: `${receiver.url}/hook`, secret };
  const { id: channel } = await add('channels', { type: 'webhook', name: 'Deploy bot', config });
  await add('channels', {
    type: 'slack',
    name: '#shop-alerts',
    config: { url: 'https://hooks.slack.com/services/T000/B000/abcdefghijkl' },
    quietHours: { timeZone: 'Europe/Berlin', from: '22:00', until: '07:00', days: [1, 2], criticalPasses: true },
    enabled: false,
  });
  const { id: issueRule } = await add('alert-rules', {
    kind: 'issue',
    name: 'New issues in production',
    environment: 'production',
    channelIds: [channel],
    digestMinutes: 0,
    conditions: [{ type: 'new_issue' }, { type: 'regression' }],
  });
  const metric = {
    dataset: 'errors',
    aggregate: 'count()',
    minutes: 60,
    comparison: { type: 'static' },
    direction: 'above',
    warning: 5,
    critical: 20,
    resolve: null,
    noData: 'ok',
  };
  const { id: metricRule } = await add('alert-rules', {
    kind: 'metric',
    name: 'Error rate',
    channelIds: [channel],
    metric,
  });
  const { id: muted } = await add('alert-rules', { kind: 'metric', name: 'Errors of the night', metric });
  await send('POST', `${org}/alert-rules/${muted}/mute/`, { minutes: 480 });
  return { issueRule, metricRule, channel };
}

async function addSearches(send: Send, org: string): Promise<void> {
  await send('POST', `${org}/searches/`, {
    name: 'Shop 1.2',
    query: 'is:unresolved release:shop@1.2.0',
    visibility: 'organization',
    isPinned: true,
  });
  const question = {
    dataset: 'spans',
    query: 'span.op:db',
    groupBy: ['span.description'],
    yAxis: ['count()'],
    statsPeriod: '14d',
  };
  await send('POST', `${org}/explore/saved/`, { name: 'Queries', question });
  await send('POST', `${org}/digest-watches/`, { digest: '42424242' });
}

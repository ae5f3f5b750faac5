/**
 * Sentry's API, and GlitchTip's, on a port of this machine: answers written from their public descriptions, since neither
 * can be run here. Pages, limits and scopes are as they describe them; what it holds is a small shop.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const token = 'sntryu_for_tests';
export const longId = '4507199254740993127';
export const publicKey = '0123456789abcdef0123456789abcdef';

const hour = 3_600_000;
const iso = (msAgo: number): string => new Date(Date.now() - msAgo).toISOString();

export interface FakeIssue {
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

const issue = (id: string, title: string, more: object = {}): FakeIssue => ({
  id,
  shortId: `SHOP-${id}`,
  title,
  permalink: `https://sentry.example/organizations/acme/issues/${id}/`,
  status: 'unresolved',
  substatus: 'ongoing',
  statusDetails: {},
  assignedTo: null,
  firstSeen: iso(40 * 24 * hour),
  lastSeen: iso(2 * hour),
  count: '3',
  userCount: 2,
  ...more,
});

const issues: readonly FakeIssue[] = [
  issue('11', 'TypeError: price is null', {
    status: 'resolved',
    statusDetails: { inRelease: 'shop@2.0.0' },
    assignedTo: { type: 'user', id: '1', name: 'Owner', email: 'owner@example.com' },
  }),
  issue('12', 'RangeError: out of stock', {
    status: 'ignored',
    substatus: 'archived_until_condition_met',
    statusDetails: { ignoreCount: 100, ignoreWindow: 60 },
    assignedTo: { type: 'team', id: '1', name: 'checkout' },
  }),
  issue('13', 'Error: two places', { assignedTo: { type: 'user', name: 'Gone', email: 'gone@example.com' } }),
  issue('14', 'Error: nothing left of it', { count: '9', lastSeen: iso(20 * 24 * hour) }),
];

interface FakeEvent {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly value: string;
  readonly functionName: string;
}

const event = (issueId: string, number: number, functionName: string): FakeEvent => {
  const [type = '', value = ''] = (issues.find(({ id }) => id === issueId)?.title ?? '').split(': ');
  return {
    id: `${issueId}${number}`.padEnd(32, 'e'),
    at: iso(number * 10 * 24 * hour + 3 * hour),
    type,
    value,
    functionName,
  };
};

const eventsOf: Readonly<Record<string, readonly FakeEvent[]>> = {
  11: [0, 1, 4].map((number) => event('11', number, 'priceOf')),
  12: [0, 1, 20].map((number) => event('12', number, 'reserve')),
  // Of two stacks: one issue there by a fingerprint that was set by hand, two here.
  13: [event('13', 0, 'one'), event('13', 1, 'one'), event('13', 2, 'other')],
  14: [],
};

const frame = (functionName: string) => ({
  function: functionName,
  filename: 'app/shop.js',
  abs_path: '/srv/app/shop.js',
  lineno: 12,
  colno: 7,
  in_app: true,
  pre_context: ['// before'],
  context_line: `  ${functionName}();`,
  post_context: ['// after'],
});

/** As it was sent. */
export const raw = ({ id, at, type, value, functionName }: FakeEvent) => ({
  event_id: id,
  timestamp: Date.parse(at) / 1000,
  platform: 'javascript',
  level: 'error',
  release: 'shop@2.0.0',
  environment: 'production',
  sdk: { name: 'sentry.javascript.node', version: '10.0.0' },
  user: { id: '7' },
  tags: [['region', 'eu']],
  exception: { values: [{ type, value, stacktrace: { frames: [frame(functionName)] } }] },
});

/** As trackers without raw events show it. */
const shown = (one: FakeEvent) => {
  const { id, at, type, value, functionName } = one;
  const { context_line, pre_context, post_context, lineno, colno, in_app, abs_path, ...rest } = frame(functionName);
  const lines = [pre_context[0], context_line, post_context[0]].map((text, index) => [lineno - 1 + index, text]);
  const shownFrame = { ...rest, absPath: abs_path, lineNo: lineno, colNo: colno, inApp: in_app, context: lines };
  const { user, sdk, platform, release, environment, level } = raw(one);
  return {
    id,
    eventID: id,
    groupID: id.slice(0, 2),
    dateCreated: at,
    user,
    sdk,
    platform,
    environment,
    level,
    release: { version: release },
    tags: [{ key: 'region', value: 'eu' }],
    entries: [
      {
        type: 'exception',
        data: { hasSystemFrames: false, values: [{ type, value, stacktrace: { frames: [shownFrame] } }] },
      },
    ],
  };
};

const ours = '/api/0/organizations/acme';
const project = '/api/0/projects/acme/shop';
const keys = [{ id: publicKey, public: publicKey, label: 'Default', isActive: true }];
const rule = {
  id: '5',
  name: 'Loud',
  actionMatch: 'any',
  frequency: 30,
  environment: 'production',
  conditions: [
    { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' },
    { id: 'sentry.rules.conditions.event_frequency.EventFrequencyCondition', value: 50, interval: '1h' },
    { id: 'sentry.rules.conditions.high_priority_issue.NewHighPriorityIssueCondition' },
  ],
  filters: [],
  actions: [{ id: 'sentry.mail.actions.NotifyEmailAction' }],
};

const lists: Readonly<Record<string, readonly object[]>> = {
  '/api/0/organizations/': [{ slug: 'acme', name: 'Acme' }],
  [`${ours}/teams/`]: [{ slug: 'checkout', name: 'Checkout' }],
  [`${ours}/members/`]: [
    { email: 'owner@example.com', role: 'owner', teams: [] },
    { email: 'Ann@Example.com', role: 'manager', orgRole: 'manager', teams: ['checkout'] },
  ],
  [`${ours}/projects/`]: [
    { id: longId, slug: 'shop', name: 'Shop', platform: 'node-express', teams: [{ slug: 'checkout' }] },
  ],
  [`${project}/keys/`]: keys,
  [`${ours}/releases/`]: [
    {
      version: 'shop@2.0.0',
      dateCreated: iso(30 * 24 * hour),
      dateReleased: iso(29 * 24 * hour),
      url: 'https://example.com/2.0.0',
      commitCount: 1,
      deployCount: 1,
      projects: [{ slug: 'shop' }],
    },
  ],
  [`${ours}/releases/${encodeURIComponent('shop@2.0.0')}/commits/`]: [
    {
      id: 'c0ffee0123456789',
      message: 'Price of articles',
      dateCreated: iso(31 * 24 * hour),
      author: { name: 'Ann', email: 'ann@example.com' },
      repository: { name: 'acme/shop' },
    },
  ],
  [`${ours}/releases/${encodeURIComponent('shop@2.0.0')}/deploys/`]: [
    { id: '1', environment: 'production', name: '', url: '', dateStarted: null, dateFinished: iso(29 * 24 * hour) },
  ],
  [`${project}/rules/`]: [rule],
  [`${project}/alerts/`]: [{ id: 3, name: 'Many', timespanMinutes: 10, quantity: 20, alertRecipients: [] }],
  [`${ours}/alert-rules/`]: [{ id: '1', name: 'Slow checkout' }],
  [`${ours}/searches/`]: [
    { id: '1', name: 'Unhandled', query: 'is:unresolved error.unhandled:true', isGlobal: true },
    { id: '2', name: 'Checkout', query: 'is:unresolved region:eu', isGlobal: false, visibility: 'organization' },
  ],
  [`${project}/issues/`]: issues,
  '/api/0/issues/11/comments/': [
    { id: '1', user: { name: 'Ann', email: 'ann@example.com' }, data: { text: 'On it.' }, dateCreated: iso(5 * hour) },
    {
      id: '2',
      user: { name: 'Owner', email: 'owner@example.com' },
      data: { text: 'Thanks.' },
      dateCreated: iso(4 * hour),
    },
  ],
  ...Object.fromEntries(
    Object.entries(eventsOf).map(([id, events]) => [
      `/api/0/issues/${id}/events/`,
      events.map(({ id: eventID, at }) => ({ id: eventID, eventID, dateCreated: at })),
    ]),
  ),
};

const pageSize = 2;

export class SentryApi implements AsyncDisposable {
  readonly #server: Server;
  /** Paths that were asked for, without their queries. */
  readonly asked: string[] = [];
  /** Answers instead of what is here, by path. */
  readonly instead = new Map<string, (response: ServerResponse) => void>();
  /** So many requests are refused for a moment. */
  refusals = 0;
  readonly #hasRaw: boolean;

  private constructor(hasRaw: boolean) {
    this.#hasRaw = hasRaw;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start({ hasRaw = true } = {}): Promise<SentryApi> {
    const api = new SentryApi(hasRaw);
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.asked.push(pathname);
    response.setHeader('content-type', 'application/json');
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('{"detail":"Invalid token"}');
    } else if (this.refusals > 0) {
      this.refusals -= 1;
      response
        .writeHead(429, { 'retry-after': '1' })
        .end('{"detail":"You are attempting to use this endpoint too often"}');
    } else if (this.instead.has(pathname)) {
      this.instead.get(pathname)?.(response);
    } else {
      this.#give(pathname, searchParams, response);
    }
  }

  #give(pathname: string, query: URLSearchParams, response: ServerResponse): void {
    const [, id = '', isRaw] = /^\/api\/0\/projects\/acme\/shop\/events\/([^/]+)\/(json\/)?$/.exec(pathname) ?? [];
    const found = Object.values(eventsOf)
      .flat()
      .find((one) => one.id === id);
    if (found && !isRaw) return void response.end(JSON.stringify(shown(found)));
    if (found && this.#hasRaw) return void response.end(JSON.stringify(raw(found)));
    const one = issues.find((issue) => pathname === `/api/0/issues/${issue.id}/`);
    if (one) return void response.end(JSON.stringify(one));
    const all = lists[pathname];
    if (!all || (pathname.endsWith('/alerts/') && this.#hasRaw)) {
      return void response.writeHead(404).end('{"detail":"The requested resource does not exist"}');
    }
    const from = Number(query.get('cursor')?.split(':')[1] ?? 0);
    const hasMore = from + pageSize < all.length;
    const next = `0:${from + pageSize}:0`;
    const link = `<${this.url}${pathname}?cursor=${next}>; rel="next"; results="${hasMore}"; cursor="${next}"`;
    response.setHeader('link', `<${this.url}${pathname}>; rel="previous"; results="false"; cursor="0:0:1", ${link}`);
    response.setHeader('x-sentry-rate-limit-remaining', '39');
    response.end(JSON.stringify(all.slice(from, from + pageSize)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

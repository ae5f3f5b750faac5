/** An issue with most of what its page can show, and the ways to open each thing there, in the pseudo-locale. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { pseudoText } from '../console/scripts/pseudo.ts';
import { envelopeUrl, errorEnvelope, newEventId, type Server } from '../server/test/harness.ts';

/** What a text without parameters reads like there. */
function said(catalogue: string, key: string): string {
  const file = new URL(`../console/messages/en/${catalogue}.json`, import.meta.url);
  return pseudoText((JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[key] ?? '', 'en-XA');
}

const frame = (file: string, name: string, inApp: boolean, more: object = {}) => ({
  filename: `/app/${file}`,
  function: name,
  lineno: 2,
  colno: 3,
  in_app: inApp,
  ...more,
});
const source = { pre_context: ['{'], context_line: '  return item.price;', post_context: ['}'], vars: { item: null } };

const exception = (type: string, value: string, name: string) => ({
  type,
  value,
  mechanism: { type: 'generic', handled: false },
  stacktrace: {
    frames: [
      frame('node_modules/express/router.js', 'next', false, source),
      frame('node_modules/express/layer.js', 'handle', false),
      frame('src/cart.js', 'showCart', true, source),
      frame('src/item.js', name, true, source),
    ],
    frames_omitted: [1, 3],
  },
});

const crumb = (secondsAgo: number, more: object) => ({ timestamp: Date.now() / 1000 - secondsAgo, ...more });

function body(id: string, name: string, tags: object = {}): string {
  return errorEnvelope(id, {
    exception: {
      values: [exception('StoreError', 'Connection lost', name), exception('PriceError', 'No price of the item', name)],
    },
    release: 'shop@1.1.0',
    environment: 'production',
    server_name: 'shop-1',
    transaction: 'GET /cart',
    user: { id: '7', email: 'ada@example.com', username: 'ada' },
    request: {
      method: 'POST',
      url: 'https://shop.example.com/cart',
      query_string: 'page=2',
      headers: { Accept: 'text/html' },
      cookies: 'theme=dark',
      env: { REMOTE_HOST: 'shop-1' },
      data: { item: { id: 7, tags: [] } },
    },
    contexts: {
      browser: { name: 'Firefox', version: '140' },
      device: { name: 'Phone', memory_size: 8_000_000_000, battery_level: 40 },
      app: { app_start_time: new Date().toISOString() },
    },
    tags,
    extra: { cart: { items: [1, 2] }, note: '' },
    modules: { express: '5.0.0' },
    breadcrumbs: {
      values: [
        crumb(90, { category: 'navigation', data: { from: '/', to: '/cart' } }),
        crumb(5, { type: 'http', category: 'fetch', data: { method: 'GET', url: '/items', status_code: 500 } }),
        crumb(1, { category: 'console', level: 'error', message: 'No price of the item' }),
      ],
    },
  });
}

/** A file of the event, and what its user says of it. */
function besides(event: string): string {
  const items = [
    [{ type: 'attachment', length: 5, filename: 'log.txt', content_type: 'text/plain' }, 'hello'],
    [
      { type: 'user_report' },
      JSON.stringify({ event_id: event, name: 'Ada', email: 'ada@example.com', comments: 'Gone' }),
    ],
  ];
  return items.map(([header, content]) => `${JSON.stringify(header)}\n${String(content)}\n`).join('');
}

/** Of a build whose source maps were not uploaded. */
function minified(id: string): string {
  const script = (column: number, name: string) => ({
    abs_path: 'https://shop.example.com/assets/app.min.js',
    filename: '/assets/app.min.js',
    function: name,
    lineno: 1,
    colno: column,
    in_app: true,
  });
  const frames = [script(900, 'a'), script(20_411, 'b')];
  const values = [{ type: 'RangeError', value: 'Invalid count', stacktrace: { frames } }];
  return errorEnvelope(id, { platform: 'javascript', exception: { values }, release: 'shop@1.1.0' });
}

interface Issue {
  readonly id: string;
  readonly shortId: string;
}

/** Two alike enough to be merged, of which the first was worked on and its short id is returned, and a minified one. */
export async function sendIssues(server: Server): Promise<{ readonly whole: string; readonly minified: string }> {
  const { dsn, organization, project } = server.installed;
  const last = { one: '', other: newEventId(), minified: newEventId() };
  const send = (text: string) => fetch(envelopeUrl(dsn), { method: 'POST', body: text });
  for (let index = 0; index < 3; index += 1) {
    last.one = newEventId();
    const tags = Object.fromEntries(Array.from({ length: 16 }, (_, tag) => [`tag${tag}`, `${tag} ${index}`]));
    await send(body(last.one, 'getPrice', tags) + besides(last.one));
  }
  await send(body(last.other, 'getTotal'));
  await send(minified(last.minified));
  await server.drained();
  const issueOf = async (event: string): Promise<Issue> => {
    const { groupID } = await server.api<{ groupID: string }>(`/projects/${organization}/${project}/events/${event}/`);
    return server.api<Issue>(`/organizations/${organization}/issues/${groupID}/`);
  };
  const one = await issueOf(last.one);
  const post = (path: string, method: string, json: object) =>
    server.api(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) });
  const change = (json: object) => post(`/organizations/${organization}/issues/?id=${one.id}`, 'PUT', json);
  await post(`/organizations/${organization}/teams/`, 'POST', { name: 'Checkout' });
  for (const json of [
    { status: 'resolved' },
    { status: 'unresolved' },
    { priority: 'low' },
    { isBookmarked: true },
    { assignedTo: '#checkout' },
  ])
    await change(json);
  await post(`/issues/${one.id}/comments/`, 'POST', {
    text: '- [x] done\n\n```js\nlet a;\n```',
  });
  return { whole: one.shortId, minified: (await issueOf(last.minified)).shortId };
}

const button = (page: Page | Locator, catalogue: string, key: string): Locator =>
  page.getByRole('button', { name: said(catalogue, key), exact: true }).first();

const panel = (page: Page, id: string): Locator => page.locator('section', { has: page.locator(`#panel-${id}`) });

/** Opens the menu of further actions, and from it what has this text. */
async function more(page: Page, key: string): Promise<void> {
  await button(page, 'issue-actions', 'more').click();
  await page.getByRole('menuitem', { name: said('issue-actions', key) }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
}

async function triageMenu(page: Page, kind: string): Promise<void> {
  await page.locator(`header [data-menu="${kind}"]`).first().click();
  await page.getByRole('dialog').getByRole('option').first().waitFor();
}

async function view(page: Page, index: number): Promise<void> {
  const views = page.getByRole('group', { name: said('stack-parts', 'views') });
  await views.getByRole('button').nth(index).click();
}

/** Panels far down are asked for when the reader comes near; the page grows until then. */
async function comeNear(page: Page, id: string): Promise<void> {
  for (let round = 0; round < 50 && !(await panel(page, id).isVisible()); round += 1) {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForTimeout(200);
  }
  await panel(page, id).waitFor();
}

/** Everything that unfolds. */
export async function unfold(page: Page): Promise<void> {
  await comeNear(page, 'grouping');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
  });
  for (let round = 0; round < 40; round += 1) {
    const folded = page.locator('main button[aria-expanded="false"]:not([aria-haspopup])').first();
    if ((await folded.count()) === 0) return;
    await folded.click();
  }
}

/** Each begins on the page of the issue. */
export const waysToOpen: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'everything unfolded': unfold,
  'the whole stack': (page) => view(page, 1),
  'the stack as text': (page) => view(page, 2),
  'ways to resolve': (page) => triageMenu(page, 'resolve'),
  'ways to archive': (page) => triageMenu(page, 'archive'),
  assignees: (page) => triageMenu(page, 'assign'),
  priorities: (page) => triageMenu(page, 'priority'),
  'no such assignee': async (page) => {
    await triageMenu(page, 'assign');
    await page.keyboard.type('xyz');
  },
  'a commit that resolves it': async (page) => {
    await triageMenu(page, 'resolve');
    await page.keyboard.type('4f2c1ab');
  },
  'further actions': (page) => button(page, 'issue-actions', 'more').click(),
  'share, private': (page) => more(page, 'share'),
  'share, public': async (page) => {
    await more(page, 'share');
    await button(page, 'issue-actions', 'createLink').click();
    await button(page, 'issue-actions', 'revokeLink').waitFor();
  },
  'delete?': (page) => more(page, 'remove'),
  'discard?': (page) => more(page, 'discard'),
  JSON: async (page) => {
    await button(page, 'issue', 'json').click();
    await page.getByRole('dialog').locator('pre').waitFor();
  },
  copied: async (page) => {
    await button(page, 'issue-actions', 'more').click();
    await page.getByRole('menuitem', { name: said('issue-actions', 'copyLink') }).click();
    await page.locator('[data-toast]').first().waitFor();
  },
  'breadcrumbs, none': (page) =>
    page.getByRole('searchbox', { name: said('breadcrumbs', 'search') }).fill('nothing like it'),
  'a comment, previewed': async (page) => {
    await panel(page, 'activity').scrollIntoViewIfNeeded();
    await panel(page, 'activity').locator('textarea').first().fill('[ ] **later** ![a](https://example.com/a.png)');
    await button(page, 'comments', 'preview').click();
  },
  'a comment, edited': async (page) => {
    await panel(page, 'activity').scrollIntoViewIfNeeded();
    await button(page.getByRole('article'), 'comments', 'edit').click();
  },
  resolved: async (page) => {
    await button(page, 'triage', 'resolve').click();
    await page.locator('[data-toast]').first().waitFor();
  },
  reopened: async (page) => {
    await button(page, 'triage', 'reopen').click();
    await page.locator('[data-toast]').first().waitFor();
  },
  archived: async (page) => {
    await button(page, 'triage', 'archive').click();
    await page.locator('[data-toast]').first().waitFor();
  },
  'archived until': (page) => triageMenu(page, 'archive'),
  'merged with another': async (page) => {
    await comeNear(page, 'similar');
    await panel(page, 'similar').getByRole('button').first().click();
    await panel(page, 'merges').waitFor();
  },
};

/** Other addresses of the issue: what follows its path. */
export const addresses: Readonly<Record<string, string>> = {
  'its events': '?list=events',
  'its events, filtered': '?list=events&q=tag0%3A%220%201%22',
  'its events, none': '?list=events&q=tag0%3Anothing',
  'its users': '?list=users',
  'its users, none': '?list=users&q=tag0%3Anothing',
  'an event that was deleted': `?event=${'0'.repeat(32)}`,
  'no event that matches': '?q=tag0%3Anothing',
  'by a digest': '?q=digest%3A1930860604',
  'in an environment': '?environment=production',
};

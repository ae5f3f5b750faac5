/** Single sign-on by SAML from the form of the owner to a new member, with SimpleSAMLphp on another site, in a browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { Simplesamlphp } from '../server/test/saml/simplesamlphp.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let idp: Simplesamlphp;
let signedIn: ConsolePage;
let page: Page;

const people = {
  kim: {
    password: 'of kim',
    attributes: { uid: ['kim'], email: ['kim@acme.example'], name: ['Kim Lee'], groups: ['staff', 'ops'] },
  },
  stranger: { password: 'of a stranger', attributes: { uid: ['stranger'], email: ['lee@elsewhere.example'] } },
};

beforeAll(async () => {
  [idp, browser, server] = await Promise.all([Simplesamlphp.start(people), launchChromium(), Server.create()]);
  expect(new URL(idp.url).hostname).not.toBe(new URL(server.url).hostname);
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
});
afterAll(async () => {
  await browser?.close();
  for (const one of [server, idp]) await one?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [n, open] of pages.entries()) {
    console.log(`${task.name}: at ${open.url()}`);
    await open.screenshot({ path: `${screenshots}saml-failure-${n}-${task.id.replaceAll(/\W+/g, '-')}.png` });
  }
});

const copied = (label: string) => page.getByRole('button', { name: label }).locator('..').locator('code');

async function openSignIn(path = '/sign-in'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const visitor = await context.newPage();
  visitor.setDefaultTimeout(20_000);
  await visitor.goto(`${server.url}${path}`);
  await visitor.getByRole('link', { name: 'Continue with Acme SAML' }).click();
  await visitor.waitForURL((url) => url.origin === idp.url);
  return visitor;
}

async function passProvider(visitor: Page, name: keyof typeof people): Promise<void> {
  await visitor.locator('input[name=username]').fill(name);
  await visitor.locator('input[name=password]').fill(people[name].password);
  await visitor.locator('input[name=password]').press('Enter');
  await visitor.waitForURL((url) => url.origin === server.url);
}

test('an owner adds a provider by the address of its metadata', async () => {
  await page.goto(`${server.url}/settings/sign-in`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByLabel('Type').selectOption({ label: 'SAML 2.0' });
  await page.getByLabel('Name', { exact: true }).fill('Acme SAML');
  const entityId = (await copied('Copy entity ID').textContent()) ?? '';
  const acs = (await copied('Copy reply URL').textContent()) ?? '';
  expect(entityId.startsWith(`${server.url}/api/auth/provider/`)).toBe(true);
  await idp.know({ entityId, acs });
  await page.getByLabel('Metadata of the provider').fill('<x/>');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByText('it describes no identity provider').waitFor();
  await page.getByLabel('Metadata of the provider').fill(idp.metadataUrl);
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByText('Filled in from the metadata of').waitFor();
  await page.getByText('valid until').waitFor();
  expect(await page.getByLabel('Sign-in URL').inputValue()).toBe(idp.ssoUrl);
  expect(await page.getByLabel('Entity ID of the provider').inputValue()).toBe(idp.entityId);
  await page.getByLabel('Domains').fill('acme.example');
  await page.getByLabel('Add new people as members').check();
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByLabel('Group 1', { exact: true }).fill('ops');
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin');
  await page.getByRole('button', { name: 'More settings' }).click();
  await lookAt(page, 'saml-form', { whole: true });
  await page.getByRole('button', { name: 'Add provider' }).click();
  const row = page.getByRole('region', { name: 'Sign-in providers', exact: true }).getByRole('listitem');
  await row.getByText('SAML 2.0').waitFor();
  await row.getByRole('button', { name: 'Test Acme SAML' }).click();
  await row.getByText('The certificate is valid until').waitFor();
  // Ends in a month.
  await row.getByText('Certificate expires').waitFor();
  await lookAt(page, 'saml-list');
  // Of what is no metadata.
  expect(signedIn.complaints).toEqual([expect.stringContaining('/saml-metadata/')]);
});

test('somebody new comes in where they wanted to go, with the role of their group', async () => {
  const visitor = await openSignIn('/releases');
  await passProvider(visitor, 'kim');
  await visitor.waitForURL(`${server.url}/releases`);
  await visitor.getByRole('heading', { name: 'Releases' }).first().waitFor();
  await page.goto(`${server.url}/settings/members`);
  const member = page.getByRole('listitem').filter({ hasText: 'kim@acme.example' });
  await member.getByText('Kim Lee').waitFor();
  expect(await server.api('/organizations/acme/members/')).toEqual(
    expect.arrayContaining([expect.objectContaining({ email: 'kim@acme.example', role: 'admin' })]),
  );
  await visitor.context().close();
});

test('who is not let in reads why', async () => {
  const visitor = await openSignIn();
  await passProvider(visitor, 'stranger');
  await visitor.getByRole('alert').waitFor();
  expect(new URL(visitor.url()).searchParams.get('problem')).toBe('domain_foreign');
  await visitor.context().close();
});

interface Provider {
  readonly id: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly saml: { readonly entityId: string; readonly acsUrl: string };
}
const list = '/organizations/acme/sign-in-providers/';
const change = async (settings: Readonly<Record<string, string>>): Promise<Provider> => {
  const [provider] = await server.api<Provider[]>(list);
  const answer = await page.request.put(`${server.url}/api/0${list}${provider?.id}/`, {
    headers: { origin: server.url },
    data: { settings },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()) as Provider;
};

test('requests that are signed, assertions that are encrypted', async () => {
  const { saml, settings } = await change({ signRequests: 'yes', signed: 'both' });
  const certificate = settings['certificate']?.replaceAll(/-----[^-]+-----|\s/g, '') ?? '';
  await idp.know({ entityId: saml.entityId, acs: saml.acsUrl, certificate });
  const visitor = await openSignIn('/releases');
  expect(new URL(visitor.url()).origin).toBe(idp.url);
  await passProvider(visitor, 'kim');
  await visitor.waitForURL(`${server.url}/releases`);
  await visitor.context().close();
});

test('a sign-in that begins at the provider, where that is allowed', async () => {
  const { saml } = await change({ signRequests: 'no' });
  await idp.know({ entityId: saml.entityId, acs: saml.acsUrl });
  const begin = `${idp.url}/saml2/idp/SSOService.php?${new URLSearchParams({ spentityid: saml.entityId, RelayState: 'https://elsewhere.example' })}`;
  const visit = async (): Promise<Page> => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(begin);
    await passProvider(visitor, 'kim');
    return visitor;
  };
  const refused = await visit();
  await refused.waitForURL((url) => url.searchParams.get('problem') === 'flow_over');
  await change({ idpInitiated: 'yes' });
  const allowed = await visit();
  await allowed.getByRole('link', { name: 'Issues' }).first().waitFor();
  await change({ idpInitiated: 'no' });
  for (const visitor of [refused, allowed]) await visitor.context().close();
});

test('the form of a provider that is there', async () => {
  await page.goto(`${server.url}/settings/sign-in`);
  await page.getByRole('button', { name: 'Edit Acme SAML' }).click();
  await page.getByText('valid until').waitFor();
  const link = page.getByRole('link', { name: 'Download Culprit’s metadata' });
  const metadata = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(await metadata.text()).toContain('SPSSODescriptor');
  await lookAt(page, 'saml-edit', { whole: true });
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a response that is posted from a page elsewhere signs nobody in to another one’s account', async () => {
  // Somebody at the provider takes their own response, and has another browser post it.
  const attacker = await openSignIn();
  let form: string | undefined;
  await attacker.route('**/saml/acs', async (route) => {
    form = route.request().postData() ?? '';
    await route.abort();
  });
  await attacker.locator('input[name=username]').fill('kim');
  await attacker.locator('input[name=password]').fill(people.kim.password);
  await attacker.locator('input[name=password]').press('Enter');
  await expect.poll(() => form).toBeTruthy();
  const context = await browser.newContext();
  const victim = await context.newPage();
  await victim.goto(`${idp.url}/`);
  await victim.evaluate(
    ([action, response]) => {
      const posted = document.createElement('form');
      posted.method = 'post';
      posted.action = action ?? '';
      const input = document.createElement('input');
      input.name = 'SAMLResponse';
      input.value = response ?? '';
      posted.append(input);
      document.body.append(posted);
      posted.submit();
    },
    [acsOf(form ?? ''), new URLSearchParams(form).get('SAMLResponse') ?? ''] as const,
  );
  await victim.waitForURL((url) => url.searchParams.get('problem') === 'flow_over');
  expect((await context.cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
  for (const one of [attacker.context(), context]) await one.close();
});

/** Where a response goes, as it says itself. */
const acsOf = (form: string): string => {
  const xml = Buffer.from(new URLSearchParams(form).get('SAMLResponse') ?? '', 'base64').toString();
  return /Destination="([^"]+)"/.exec(xml)?.[1] ?? '';
};

/** The setup of a project: from a word of the framework to its code, by keyboard, in the language that was chosen. */
import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await Server.create();
  browser = await launchChromium();
  ({ page } = await openConsole(server, browser));
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const code = async (): Promise<string> => (await page.locator('ol pre').allInnerTexts()).join('\n');
const platform = async (slug: string): Promise<string> =>
  (await server.api<{ platform: string }>(`/projects/${server.installed.organization}/${slug}/`)).platform;

test('a new project takes the framework that was typed, and its setup shows the code of that framework', async () => {
  await goWithin(page, `${server.url}/projects/new`);
  await page.getByLabel('Name').fill('Books');
  const search = page.getByRole('searchbox', { name: 'Search frameworks' });
  await search.fill('no such thing');
  await page.getByText('No framework found').waitFor();
  await search.fill('djan');
  await page.getByRole('group', { name: 'Python' }).getByText('Django').waitFor();
  await lookAt(page, 'new-project-search', { whole: true });
  await search.press('Enter');
  // It chooses, and sends nothing.
  expect(await page.getByRole('radio', { name: 'Django' }).isChecked()).toBe(true);
  expect(await page.getByRole('group', { name: 'Framework' }).getByRole('radio').count()).toBeGreaterThan(10);
  await lookAt(page, 'new-project-python', { whole: true });
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL('**/projects/books/setup');
  await page.getByRole('heading', { name: 'Install the SDK' }).waitFor();
  expect(await code()).toContain('pip install "sentry-sdk[django]"');
  expect(await code()).toContain('traces_sample_rate');
  expect(await code()).not.toContain('enable_logs');
  expect(await platform('books')).toBe('python-django');
  expect(await page.getByRole('region', { name: 'Source maps' }).count()).toBe(0);
  await lookAt(page, 'setup-django', { whole: true });
});

test('logs are added to the same code; OpenTelemetry is the other way', async () => {
  await page.getByRole('checkbox', { name: 'Logs' }).check();
  await expect.poll(code).toContain('enable_logs=True');
  await page.getByRole('button', { name: 'OpenTelemetry' }).click();
  await expect.poll(code).toContain('opentelemetry-instrument');
  const { dsn } = await server.api<{ dsn: string }>(`/projects/${server.installed.organization}/books/`);
  expect(await code()).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=${new URL(dsn).origin}`);
  expect(await code()).toContain(`Bearer%20${new URL(dsn).username}`);
});

test('Python reads the code of each of its frameworks', async () => {
  await page.getByRole('button', { name: 'Sentry SDK' }).click();
  const compile = ['-c', 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "code", "exec")'];
  for (const name of ['Python', 'Flask', 'FastAPI', 'Celery', 'AWS Lambda', 'Tornado']) {
    await page.getByRole('group', { name: 'Framework' }).getByText(name, { exact: true }).click();
    const blocks = page.getByRole('region', { name: /\.py$/ });
    await blocks.first().waitFor();
    execFileSync('python3', compile, { input: JSON.stringify(await blocks.allInnerTexts()) });
  }
});

test('arrow keys go through the languages; what they stop at is stored', async () => {
  await page.getByRole('radio', { name: 'Python', exact: true }).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(code).toContain('sentry-ruby');
  await expect.poll(() => platform('books')).toBe('ruby');
  // One token for all that a build uploads.
  await goWithin(page, `${server.url}/projects/books/setup`);
  await page.getByRole('radio', { name: 'Java and Kotlin' }).focus();
  await page.keyboard.press('Space');
  const sources = page.getByRole('region', { name: 'Source context and mappings' });
  await sources.getByText('sentry-maven-plugin').waitFor();
  await sources.getByRole('button', { name: 'Gradle' }).click();
  await sources.getByText('io.sentry.jvm.gradle').waitFor();
  const releases = page.getByRole('region', { name: 'Releases and commits', exact: true });
  await releases.getByRole('button', { name: 'Create token' }).click();
  await expect.poll(() => sources.getByRole('button', { name: 'Token created' }).count()).toBe(1);
  await lookAt(page, 'setup-java', { whole: true });
});

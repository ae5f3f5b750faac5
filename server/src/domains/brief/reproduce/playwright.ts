/** A Playwright test of what the user did. It fails while the error comes, and passes once it does not. */
import { visibleLine } from '../../../base/visible.ts';
import { brief as texts } from '../../../base/texts/brief.ts';
import { limits } from '../limits.ts';
import type { BriefNote } from '../types.ts';
import type { Step } from './steps.ts';

export interface Written {
  /** Null where the steps do not suffice. */
  readonly test: string | null;
  /** What the breadcrumbs do not say. */
  readonly missing: readonly BriefNote[];
}

interface Bug {
  readonly name: string;
  /** Of the error, by which it is recognised. */
  readonly type: string;
  readonly message: string;
}

/** SDKs keep so many breadcrumbs; where as many are there, older ones are gone. */
const kept = 100;
/** Of a message: values often stand at its end. */
const compared = 120;

export function playwrightTest(steps: readonly Step[], crumbs: number, bug: Bug): Written {
  const missing: BriefNote[] = [];
  const lacks = (text: string, what: string | null = null): void => void missing.push({ text, what });
  const [first] = steps;
  if (first?.kind !== 'open') lacks(texts.missing.page);
  if (crumbs >= kept) lacks(texts.missing.older);
  for (const step of steps) {
    const lost = (step.kind === 'click' || step.kind === 'type') && !step.target;
    if (lost) lacks(texts.missing.element, visibleLine(step.text, limits.name));
  }
  if (bug.message.trim() === '' && bug.type === '') lacks(texts.missing.message);
  if (missing.length) return { test: null, missing };
  const typed = new Set(steps.flatMap((step) => (step.kind === 'type' ? [step.text] : [])));
  const test = write(steps, bug);
  if (test.length > limits.test) return { test: null, missing: [{ text: texts.missing.tooMany, what: null }] };
  return {
    test,
    missing: [...typed].map((text) => ({ text: texts.missing.typed, what: visibleLine(text, limits.name) })),
  };
}

function write(steps: readonly Step[], { name, type, message }: Bug): string {
  const origin = steps[0]?.kind === 'open' ? new URL(steps[0].url).origin : '';
  const lines = [
    "import { expect, test } from '@playwright/test';",
    '',
    `const base = process.env.BASE_URL ?? ${literal(origin)};`,
    `const message = ${literal(visibleLine(message.split('\n', 1)[0] ?? '', compared).replace(/…$/, '') || type)};`,
    '',
    `test(${literal(name)}, async ({ page }) => {`,
    '  const errors: string[] = [];',
    "  page.on('pageerror', (error) => errors.push(String(error)));",
    `  // ${texts.generated.reported}`,
    "  page.on('request', (request) => {",
    "    if (/\\/(envelope|monitoring)\\b/.test(request.url())) errors.push(request.postData() ?? '');",
    '  });',
    ...answers(steps),
    ...steps.flatMap((step) => statement(step, origin)).map((line) => `  ${line}`),
    "  await page.waitForLoadState('networkidle');",
    '  const isIt = (error: string) => error.includes(message) || error.includes(JSON.stringify(message).slice(1, -1));',
    '  expect(errors.filter(isIt)).toEqual([]);',
    '});',
  ];
  return lines.join('\n');
}

/** Requests that failed then fail again. */
function answers(steps: readonly Step[]): readonly string[] {
  const failed = new Map(
    steps.flatMap((step) => (step.kind === 'failed' ? [[`${step.method} ${step.url}`, step] as const] : [])),
  );
  return [...failed.values()].flatMap(({ method, url, status }) => {
    const path = pathOf(url);
    const act = status ? `route.fulfill({ status: ${Math.trunc(status)} })` : 'route.abort()';
    return [
      `  await page.route((url) => url.href.includes(${literal(path)}), (route) =>`,
      `    route.request().method() === ${literal(method.toUpperCase())} ? ${act} : route.fallback(),`,
      '  );',
    ];
  });
}

function statement(step: Step, origin: string): readonly string[] {
  switch (step.kind) {
    case 'open':
      return [`await page.goto(${address(step.url, origin)});`];
    case 'go':
      return step.byItself
        ? [`await page.goto(${address(step.url, origin)});`]
        : [`await page.waitForURL((url) => url.href.endsWith(${literal(pathOf(step.url))}));`];
    case 'click':
      return [`await page.locator(${literal(step.target?.selector ?? '')}).first().click();`];
    case 'type':
      return [`await page.locator(${literal(step.target?.selector ?? '')}).first().fill(${literal(standIn(step))});`];
    case 'failed':
      return [];
  }
}

const standIns: Readonly<Record<string, string>> = {
  email: 'user@example.com',
  number: '1',
  tel: '5550100',
  date: '2026-01-31',
  url: 'https://example.com',
};

/** What was typed is not recorded. */
const standIn = ({ target }: Extract<Step, { kind: 'type' }>): string =>
  standIns[target?.attributes['type'] ?? ''] ?? 'text';

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}

const address = (url: string, origin: string): string =>
  URL.canParse(url) && new URL(url).origin === origin ? `base + ${literal(pathOf(url))}` : literal(url);

/** A literal of TypeScript. Line separators are allowed in it, and are not seen. */
const literal = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u007f-\u009f]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`,
  );

/** The ways in which a page of the Next.js examples fails, and what each must leave on the screen and in Culprit. */
import type { Page } from 'playwright-core';
import { lasting } from '../server/src/base/testing.ts';

export interface Case {
  readonly name: string;
  readonly path: string;
  /** Arrive by a link of the start page, without loading a document. */
  readonly byLink?: boolean;
  readonly act?: (tab: Page) => Promise<void>;
  /** Which of the framework's own screens shows, or what the page reads then, with the digest as its group. */
  readonly screen: 'server' | 'client' | RegExp;
  /** The error that was thrown, as the cause's event has it. */
  readonly cause: { readonly type: string; readonly value: string | RegExp };
  /** Where in the example, as `file:line`. */
  readonly thrownAt: string;
  /** In what is called there: maps of Next.js 15 do not say that its own files are a library's. */
  readonly thrownByFramework?: true;
  readonly sides: readonly ('server' | 'browser')[];
  /** Whether there is a digest at all; it then stands in every event but those in `withoutDigest`. */
  readonly digest: boolean;
  readonly withoutDigest?: 'browser';
  readonly status?: number;
}

const press =
  (name: string) =>
  async (tab: Page): Promise<void> => {
    await tab.getByRole('button', { name, exact: true }).click();
  };

/** By a full load and by a link; each run goes by links to one page whose server fails and to one that fails in the browser. */
const ways = lasting([false], [false, true]);

const invoice = { type: 'RangeError', value: 'invoice 7 missing' };
const both = ['server', 'browser'] as const;

export const cases: readonly Case[] = [
  {
    name: 'server component, full load',
    path: '/invoices/7',
    screen: 'server',
    cause: invoice,
    thrownAt: 'app/invoices/[id]/page.tsx:4',
    sides: both,
    digest: true,
    status: 500,
  },
  {
    name: 'server component, link',
    path: '/invoices/7',
    byLink: true,
    screen: 'server',
    cause: invoice,
    thrownAt: 'app/invoices/[id]/page.tsx:4',
    sides: both,
    digest: true,
  },
  {
    name: 'server component, link and then reload',
    path: '/invoices/7',
    byLink: true,
    act: async (tab) => {
      await tab.locator('text=/^(Digest: |ERROR )/').waitFor();
      await tab.reload();
    },
    screen: 'server',
    cause: invoice,
    thrownAt: 'app/invoices/[id]/page.tsx:4',
    sides: both,
    digest: true,
  },
  ...ways.map((byLink): Case => ({
    name: `server component, late inside Suspense, ${byLink ? 'link' : 'full load'}`,
    path: '/reviews',
    byLink,
    screen: 'server',
    cause: { type: 'TypeError', value: 'Reduce of empty array with no initial value' },
    thrownAt: 'app/reviews/page.tsx:10',
    sides: both,
    digest: true,
    status: 200,
  })),
  ...ways.map((byLink): Case => ({
    name: `nested layout, ${byLink ? 'link' : 'full load'}`,
    path: '/account',
    byLink,
    screen: 'server',
    cause: { type: 'TypeError', value: "Cannot read properties of undefined (reading 'user')" },
    thrownAt: 'app/account/layout.tsx:15',
    sides: both,
    digest: true,
    status: 500,
  })),
  ...[false, true].map((byLink): Case => ({
    name: `client component in the browser, ${byLink ? 'link' : 'full load'}`,
    path: '/cart',
    byLink,
    screen: 'client',
    cause: { type: 'TypeError', value: "Cannot read properties of null (reading 'items')" },
    thrownAt: 'app/cart/page.tsx:11',
    sides: ['browser'],
    digest: false,
    status: 200,
  })),
  {
    name: 'client component on both sides, full load',
    path: '/offers',
    screen: 'client',
    cause: { type: 'TypeError', value: "Cannot read properties of undefined (reading 'percent')" },
    thrownAt: 'app/offers/offer.tsx:6',
    sides: both,
    // The server has one that nobody sees: the browser threw for itself.
    digest: true,
    withoutDigest: 'browser',
    status: 500,
  },
  {
    name: 'client component on the server only',
    path: '/clock',
    screen: /^Open from /,
    cause: { type: 'Error', value: 'the server has no language' },
    thrownAt: 'app/clock/clock.tsx:4',
    sides: ['server'],
    digest: true,
    status: 200,
  },
  {
    name: 'server action of a form',
    path: '/checkout',
    act: press('Place order'),
    screen: 'server',
    cause: { type: 'Error', value: 'order could not be placed' },
    thrownAt: 'app/checkout/actions.ts:4',
    sides: both,
    digest: true,
  },
  {
    name: 'server action in a transition',
    path: '/checkout',
    act: press('Pay'),
    screen: 'server',
    cause: { type: 'Error', value: 'payment of 10 refused' },
    thrownAt: 'app/checkout/actions.ts:8',
    sides: both,
    digest: true,
  },
  {
    name: 'server action that the caller catches and captures',
    path: '/checkout',
    act: press('Pay or explain'),
    screen: /Your payment was refused\.$/,
    cause: { type: 'Error', value: 'payment of 20 refused' },
    thrownAt: 'app/checkout/actions.ts:8',
    sides: both,
    digest: true,
  },
  {
    name: 'server action that nobody waits for',
    path: '/checkout',
    act: press('Pay later'),
    screen: /^Checkout/,
    cause: { type: 'Error', value: 'payment of 30 refused' },
    thrownAt: 'app/checkout/actions.ts:8',
    sides: both,
    digest: true,
  },
  ...ways.map((byLink): Case => ({
    name: `page of its own for errors, ${byLink ? 'link' : 'full load'}`,
    path: '/support/9',
    byLink,
    screen: /^Support is not available\.\nDigest: (\d+)$/,
    cause: { type: 'TypeError', value: "Cannot read properties of undefined (reading 'subject')" },
    thrownAt: 'app/support/[id]/page.tsx:5',
    sides: both,
    digest: true,
    status: 500,
  })),
  {
    // Next.js 15.5 shows the code of its own errors behind the number, and has the server report the masked error once more.
    name: 'error of the framework in a server component',
    path: '/prices',
    screen: 'server',
    cause: {
      type: 'Error',
      value: /^Route "?\/prices\b.*revalidatePath.* during render\b/,
    },
    thrownAt: 'app/prices/page.tsx:7',
    thrownByFramework: true,
    sides: both,
    digest: true,
    status: 500,
  },
  {
    name: 'route handler',
    path: '/api/stock',
    // The browser's own page for a failure without a body, which Chromium without windows leaves empty.
    screen: /^$|HTTP ERROR 500/,
    cause: { type: 'Error', value: 'warehouse does not answer' },
    thrownAt: 'app/api/stock/route.ts:2',
    sides: ['server'],
    digest: false,
    status: 500,
  },
];

/** Events with all that an SDK can add, for pages that are to be full: one error of a server, its files and its feedback. */
import { envelopeUrl, newEventId } from '../server/test/harness.ts';
import { traceId } from './traces-traffic.ts';

type Json = Readonly<Record<string, unknown>>;

interface Item {
  readonly type: string;
  readonly header?: Json;
  readonly payload: Json | string;
}

async function post(dsn: string, eventId: string, items: readonly Item[]): Promise<void> {
  const lines = items.flatMap(({ type, header, payload }) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return [JSON.stringify({ type, length: Buffer.byteLength(text), ...header }), text];
  });
  const header = JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() });
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body: `${[header, ...lines].join('\n')}\n` });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

const library = (filename: string, name: string, lineno: number): Json => ({
  filename: `/app/node_modules/${filename}`,
  function: name,
  lineno,
  colno: 14,
  in_app: false,
});

const frames = [
  library('express/lib/router/layer.js', 'handle', 95),
  library('express/lib/router/route.js', 'next', 149),
  {
    filename: '/app/src/routes/checkout.ts',
    function: 'postCheckout',
    lineno: 61,
    colno: 23,
    in_app: true,
    pre_context: [
      'router.post("/checkout", async (request, response) => {',
      '  const cart = await carts.load(request.user);',
    ],
    context_line: '  const total = cart.items.map(priceOf).reduce(sum, 0);',
    post_context: ['  await payments.charge(request.user, total);', '  response.redirect("/thanks");'],
  },
  {
    filename: '/app/src/pricing/price-of.ts',
    function: 'priceOf',
    lineno: 18,
    colno: 32,
    in_app: true,
    pre_context: [
      '/** In cents, taxes included. */',
      'export function priceOf(item: CartItem): number {',
      '  const { product } = item;',
    ],
    context_line: '  return item.quantity * product.price.amount * taxFactor;',
    post_context: ['}', '', 'const taxFactor = 1.19;'],
    vars: { item: { sku: 'TEA-117', quantity: 2, product: { name: 'Assam', price: null } }, taxFactor: 1.19 },
  },
];

/** The exception, its cause, breadcrumbs, request, user, contexts; `index` 0 is the newest. */
const checkoutError = (eventId: string, index: number, nowMs: number): Json => {
  const seconds = nowMs / 1000 - 240 - index * 5400;
  const crumb = (ago: number, category: string, message: string, more: Json = {}): Json => ({
    timestamp: seconds - ago,
    category,
    message,
    level: 'info',
    ...more,
  });
  return {
    event_id: eventId,
    timestamp: seconds,
    platform: 'node',
    level: 'error',
    release: index < 14 ? 'shop@1.2.0' : 'shop@1.1.0',
    environment: index % 5 === 4 ? 'staging' : 'production',
    server_name: `web-${(index % 3) + 1}`,
    transaction: 'POST /checkout',
    sdk: { name: 'sentry.javascript.node', version: '11.10.0' },
    user: {
      id: `u-${index % 9}`,
      email: `${['ada', 'grace', 'linus', 'mary'][index % 4]}@example.com`,
      ip_address: '203.0.113.7',
    },
    tags: {
      plan: index % 3 ? 'pro' : 'free',
      region: index % 2 ? 'eu-central-1' : 'us-east-1',
      'feature.checkout': 'v2',
    },
    request: {
      method: 'POST',
      url: 'https://shop.example.com/checkout',
      query_string: 'step=pay&ref=mail',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (Macintosh) Chrome/130.0.0.0' },
      data: { cart: 'c-8812', coupon: 'WELCOME10' },
    },
    contexts: {
      trace: { trace_id: traceId(170), span_id: newEventId().slice(0, 16), op: 'http.server' },
      runtime: { name: 'node', version: 'v24.2.0' },
      os: { name: 'Linux', version: '6.12' },
      browser: { name: index % 4 === 3 ? 'Safari' : 'Chrome', version: '130.0.0' },
      app: { app_memory: 104_935_424 },
      cart: { items: 3, currency: 'EUR', coupon: 'WELCOME10' },
    },
    extra: { attempt: 2, gateway: 'payments-eu' },
    breadcrumbs: {
      values: [
        crumb(14, 'navigation', '', { data: { from: '/cart', to: '/checkout' } }),
        crumb(9.2, 'ui.click', 'button#pay'),
        crumb(8.9, 'http', '', { type: 'http', data: { method: 'GET', url: '/api/cart', status_code: 200 } }),
        crumb(3.1, 'query', 'SELECT * FROM carts WHERE user_id = $1', { data: { 'db.system': 'postgresql' } }),
        crumb(1.4, 'http', '', {
          type: 'http',
          level: 'error',
          data: { method: 'GET', url: 'https://prices.internal/v2/list', status_code: 503 },
        }),
        crumb(0.2, 'console', 'price list is stale, using the last one', { level: 'warning' }),
      ],
    },
    exception: {
      values: [
        {
          type: 'FetchError',
          value: 'GET https://prices.internal/v2/list responded with 503',
          stacktrace: {
            frames: [
              library('undici/lib/fetch.js', 'fetch', 204),
              { filename: '/app/src/pricing/client.ts', function: 'loadPrices', lineno: 33, colno: 11, in_app: true },
            ],
          },
        },
        {
          type: 'TypeError',
          value: "Cannot read properties of null (reading 'amount')",
          stacktrace: { frames },
          mechanism: { type: 'generic', handled: false },
        },
      ],
    },
  };
};

/** Of one issue, over two days, oldest first; the newest has files. Resolves to its id. */
export async function sendCheckoutErrors(dsn: string, count: number): Promise<string> {
  const nowMs = Date.now();
  let eventId = '';
  for (let index = count - 1; index >= 0; index -= 1) {
    eventId = newEventId();
    const event: Item = { type: 'event', payload: checkoutError(eventId, index, nowMs) };
    await post(dsn, eventId, index === 0 ? [event, ...files] : [event]);
  }
  return eventId;
}

const file = (filename: string, content_type: string, payload: string): Item => ({
  type: 'attachment',
  header: { filename, content_type, attachment_type: 'event.attachment' },
  payload,
});

const files: readonly Item[] = [
  file('cart.json', 'application/json', '{"items":[{"sku":"TEA-117","price":null}]}'),
  file('server.log', 'text/plain', 'GET /cart 200\nPOST /checkout 500\n'),
];

/** What visitors wrote, about an event or about nothing. */
export async function sendFeedback(dsn: string, eventId: string): Promise<void> {
  const said = [
    ['Ada Lovelace', 'ada@example.com', 'I pressed Pay three times and always got an error page.', eventId],
    ['Grace', 'grace@example.com', 'The new checkout is lovely, but it takes a while to load on my phone.', undefined],
    ['', 'someone@example.com', 'Please bring back the list of last orders.', undefined],
  ] as const;
  for (const [name, contact_email, message, associated_event_id] of said) {
    const id = newEventId();
    const feedback = { name, contact_email, message, url: 'https://shop.example.com/checkout', associated_event_id };
    await post(dsn, id, [
      {
        type: 'feedback',
        payload: {
          event_id: id,
          timestamp: Date.now() / 1000 - 600,
          platform: 'javascript',
          level: 'info',
          environment: 'production',
          release: 'shop@1.2.0',
          contexts: { feedback },
        },
      },
    ]);
  }
}

/** A kind of failure that is rare, has a level of its own, and a culprit of its own. */
export async function sendRareErrors(dsn: string): Promise<void> {
  const kinds = [
    ['fatal', 'OutOfMemoryError', 'Reached heap limit while rendering the sitemap', 'src/jobs/sitemap.ts', 'render'],
    [
      'warning',
      'DeprecationWarning',
      'Buffer() is deprecated due to security and usability issues',
      'src/legacy/pack.ts',
      'pack',
    ],
    ['info', 'Notice', 'Cache was rebuilt', 'src/cache/rebuild.ts', 'rebuild'],
    [
      'error',
      'UnexpectedResponseFromInventoryServiceError',
      'Expected an array of warehouses with their stock for TEA-117, TEA-118 and 41 more, but received an object with the keys error, code and retryAfter',
      'src/inventory/warehouses/load-stock-of-all-warehouses.ts',
      'loadStockOfAllWarehousesOfTheRegion',
    ],
  ] as const;
  for (const [index, [level, type, value, filename, name]] of kinds.entries()) {
    const id = newEventId();
    const stacktrace = {
      frames: [{ filename: `/app/${filename}`, function: name, lineno: 12, colno: 3, in_app: true }],
    };
    const timestamp = Date.now() / 1000 - (index + 1) * 9000;
    const event = {
      event_id: id,
      timestamp,
      platform: 'node',
      level,
      release: 'shop@1.2.0',
      environment: 'production',
    };
    await post(dsn, id, [
      { type: 'event', payload: { ...event, exception: { values: [{ type, value, stacktrace }] } } },
    ]);
  }
}

/** A digest that is on two screens: the server's error and what the browser was told. */
export async function sendDigest(dsn: string, digest: string): Promise<void> {
  for (const platform of ['node', 'javascript']) {
    const id = newEventId();
    const value = platform === 'node' ? 'price list is gone' : 'An error occurred in the Server Components render.';
    const stacktrace = {
      frames: [{ filename: '/app/product/[id]/page.tsx', function: 'Page', lineno: 42, in_app: true }],
    };
    await post(dsn, id, [
      {
        type: 'event',
        payload: {
          event_id: id,
          timestamp: Date.now() / 1000 - 900,
          platform,
          level: 'error',
          release: 'shop@1.2.0',
          environment: 'production',
          tags: { digest },
          request: { url: 'https://shop.example.com/product/7' },
          exception: { values: [{ type: 'Error', value, stacktrace }] },
        },
      },
    ]);
  }
}

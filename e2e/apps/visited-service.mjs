// A service that a load balancer, a crawler and a person visit, with the SDK's tracing. argv: SDK, DSN, -, release.
const [sdk, dsn, , release] = process.argv.slice(2);
const Sentry = await import(sdk);
// Before version 8 an SDK kept health checks to itself, and an application put handlers before its own.
const { Handlers } = Sentry;
const integrations = Handlers ? [Sentry.inboundFiltersIntegration({ disableTransactionDefaults: true })] : [];
Sentry.init({ dsn, release, environment: 'production', tracesSampleRate: 1, integrations });
const { createServer } = await import('node:http');
const { once } = await import('node:events');

const before = Handlers ? [Handlers.requestHandler(), Handlers.tracingHandler()] : [];

function answer(request, response) {
  if (request.url?.startsWith('/cart/')) {
    Sentry.captureException(new Error(`no price for ${request.headers['x-visitor']}`));
    response.statusCode = 500;
  } else Sentry.startSpan({ name: 'SELECT 1', op: 'db' }, () => undefined);
  response.end();
}

const server = createServer((request, response) => {
  const next = (index) => {
    if (index === before.length) answer(request, response);
    else before[index](request, response, () => next(index + 1));
  };
  next(0);
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const visit = async (path, visitor, agent) => {
  const headers = { 'user-agent': agent, 'x-visitor': visitor };
  await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
};
for (let turn = 0; turn < 3; turn++) await visit('/healthz', 'the balancer', 'kube-probe/1.31');
await visit('/cart/7', 'a crawler', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
await visit('/cart/8', 'a person', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
server.close();
await Sentry.close(5_000);

// A Node server that answers three requests, one of which reports an error. argv: SDK package, DSN, scenario, release.
const [sdkName, dsn, , release] = process.argv.slice(2);
const Sentry = await import(sdkName);
Sentry.init({ dsn, release, environment: 'staging' });
const { createServer } = await import('node:http');

const server = createServer((request, response) => {
  if (request.url === '/broken') Sentry.captureException(new Error('the price is not known'));
  response.end('ok');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
for (const path of ['/', '/broken', '/']) {
  await (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text();
}
await Sentry.flush(5_000);
process.exit(0);

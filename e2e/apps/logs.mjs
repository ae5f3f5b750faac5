// A Node program that logs inside a span. argv: SDK package, DSN. Prints the ids of the span.
const [sdkName, dsn] = process.argv.slice(2);
const Sentry = await import(sdkName);

Sentry.init({
  dsn,
  release: 'shop@1.2.3',
  environment: 'staging',
  serverName: 'web-1',
  tracesSampleRate: 1,
  enableLogs: true,
});

const ids = Sentry.startSpan({ name: 'checkout', op: 'task' }, (span) => {
  const { logger } = Sentry;
  logger.info(logger.fmt`user ${'ada'} bought ${3} items`, { total: 50.25, vip: true, password: 'hunter2' });
  logger.warn('stock is low', { left: 2 });
  logger.fatal('pool exhausted');
  return span.spanContext();
});
await Sentry.flush(5_000);
process.stdout.write(JSON.stringify({ traceId: ids.traceId, spanId: ids.spanId }));
process.exit(0);

// A Node program whose errors come one after the other. argv: SDK package, DSN, how many, release.
const [sdkName, dsn, count, release] = process.argv.slice(2);
const Sentry = await import(sdkName);

Sentry.init({ dsn, release });
for (let index = 0; index < Number(count); index++) {
  Sentry.captureException(new Error(`order ${index} failed`));
  await Sentry.flush(5_000);
}
await Sentry.close(5_000);
process.exit(0);

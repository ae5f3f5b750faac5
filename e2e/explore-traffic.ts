/** A day of errors with something to find: one kind all day long, another from one release within two hours. */
import { envelopeUrl, errorEnvelope, newEventId } from '../server/test/harness.ts';
import { slowHours } from './traces-traffic.ts';

export const steadyErrors = 60;
export const burstErrors = 40;
/** A text that a search has to quote. */
export const oddRoute = 'GET /search?q="a b" (beta)';

const browsers = ['Chrome', 'Firefox', 'Safari'] as const;

const exception = (type: string, value: string, file: string) => ({
  values: [
    {
      type,
      value,
      stacktrace: {
        frames: [{ filename: `/app/src/${file}.js`, function: file, lineno: 10, colno: 3, in_app: true }],
      },
      mechanism: { type: 'generic', handled: true },
    },
  ],
});

function event(hoursAgo: number, index: number, isBurst: boolean, nowMs: number): string {
  const browser = isBurst ? 'Safari' : browsers[index % browsers.length];
  return errorEnvelope(newEventId(), {
    timestamp: nowMs / 1000 - hoursAgo * 3600,
    level: isBurst ? 'fatal' : 'error',
    release: isBurst ? 'shop@2.0.0' : 'shop@1.0.0',
    environment: 'production',
    transaction: index % 5 === 0 ? oddRoute : '/cart',
    tags: { tenant: isBurst ? 'acme' : `tenant-${index % 4}`, ...(index % 2 === 0 && { beta: 'yes' }) },
    contexts: { browser: { name: browser, version: '130.0.0' } },
    ...(index % 3 !== 0 && { user: { id: `u-${index % 7}` } }),
    exception: isBurst
      ? exception('RangeError', 'Invalid array length', 'burst')
      : exception('TypeError', 'Cannot read properties of null', 'steady'),
  });
}

/** The server has acknowledged all of it when this resolves. */
export async function sendErrors(dsn: string, nowMs = Date.now()): Promise<void> {
  const within = slowHours.from - slowHours.until;
  const bodies = [
    ...Array.from({ length: steadyErrors }, (_, index) =>
      event(0.2 + (index / steadyErrors) * 20, index, false, nowMs),
    ),
    ...Array.from({ length: burstErrors }, (_, index) =>
      event(slowHours.until + 0.1 + (index / burstErrors) * (within - 0.2), index, true, nowMs),
    ),
  ];
  await Promise.all(
    bodies.map(async (body) => {
      const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    }),
  );
}

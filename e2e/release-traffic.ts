/** Two releases of a shop: the second one crashes more, has an issue that is new and one that got worse, and lost one. */
import { envelopeUrl, errorEnvelope, newEventId } from '../server/test/harness.ts';

export const before = 'shop@1.0.0';
export const after = 'shop@1.1.0';

const hourMs = 3_600_000;

function session(release: string, index: number, startedMs: number): object {
  const isAfter = release === after;
  const status = isAfter && index % 25 === 0 ? 'crashed' : isAfter && index % 15 === 1 ? 'unhandled' : 'exited';
  const crashes = !isAfter && index === 7;
  return {
    sid: newEventId(),
    init: true,
    started: new Date(startedMs).toISOString(),
    timestamp: new Date(startedMs + 30_000).toISOString(),
    status: crashes ? 'crashed' : status,
    errors: crashes || status !== 'exited' || index % 11 === 0 ? 1 : 0,
    duration: 30,
    did: `user-${index % 60}`,
    attrs: { release, environment: index % 6 === 0 ? 'staging' : 'production' },
  };
}

function error(release: string, name: string, ageHours: number): string {
  return errorEnvelope(newEventId(), {
    timestamp: (Date.now() - ageHours * hourMs) / 1000,
    release,
    environment: 'production',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `${name} is not there`,
          stacktrace: {
            frames: [{ filename: `/app/src/${name}.js`, function: name, lineno: 3, colno: 7, in_app: true }],
          },
          mechanism: { type: 'generic', handled: false },
        },
      ],
    },
  });
}

/** Sends all of it; the first release from two days ago on, the second one for ten hours. */
export async function sendReleases(dsn: string): Promise<void> {
  const nowMs = Date.now();
  const post = async (body: string): Promise<void> => {
    const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  };
  /** An envelope may hold a hundred sessions. */
  const spread = (release: string, count: number, oldestHours: number): string[] =>
    Array.from({ length: count / 100 }, (_, part) =>
      [
        JSON.stringify({ sent_at: new Date(nowMs).toISOString() }),
        ...Array.from({ length: 100 }, (__, place) => {
          const index = part * 100 + place;
          const startedMs = nowMs - 60_000 - (oldestHours * hourMs * index) / count;
          return `{"type":"session"}\n${JSON.stringify(session(release, index, startedMs))}`;
        }),
      ].join('\n'),
    );
  const errors = [
    ...Array.from({ length: 6 }, (_, index) => error(before, 'voucher', 30 + index)),
    ...Array.from({ length: 4 }, (_, index) => error(before, 'basket', 20 + index)),
    ...Array.from({ length: 30 }, (_, index) => error(after, 'basket', (index % 9) + 0.2)),
    ...Array.from({ length: 5 }, (_, index) => error(after, 'delivery', index + 0.5)),
  ];
  await Promise.all([...spread(before, 400, 46), ...spread(after, 200, 10), ...errors].map(post));
}

/** Lists and pages that somebody looks at: who hears of events is given them, also after the engine was killed. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endurance, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server?.[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly count: string;
  readonly userCount: number;
  readonly stats: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

/** What is stored, by the title: events and people. */
type Counted = Readonly<Record<string, readonly [number, number]>>;

const listed = async (): Promise<Listed[]> =>
  server.api(
    `/projects/acme/${server.installed.project}/issues/?query=&statsPeriod=14d&groupStatsPeriod=auto&limit=100`,
  );

/** Of the list, whose bars and pages say the same. */
async function shown(): Promise<Counted> {
  const counted: Record<string, readonly [number, number]> = {};
  for (const { id, title, count, userCount, stats } of await listed()) {
    const bars = Object.values(stats)[0]?.reduce((sum, [, events]) => sum + events, 0);
    expect(bars).toBe(Number(count));
    expect(await server.api(`/organizations/acme/issues/${id}/`)).toMatchObject({ count, userCount });
    counted[title] = [Number(count), userCount];
  }
  return counted;
}

/** What live messages have told of so far. */
class Told {
  events = 0;
  readonly #closing: AbortController;
  readonly #reading: Promise<void>;

  private constructor(stream: Response, closing: AbortController) {
    this.#closing = closing;
    this.#reading = this.#read(stream);
    this.#reading.catch(() => {});
  }

  static async open(): Promise<Told> {
    const headers = { authorization: `Bearer ${server.installed.token}` };
    const closing = new AbortController();
    const { signal } = closing;
    return new Told(await fetch(`${server.url}/api/0/organizations/acme/live/`, { headers, signal }), closing);
  }

  async #read({ body }: Response): Promise<void> {
    let text = '';
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const message = line.startsWith('data: ')
          ? (JSON.parse(line.slice(6)) as { type: string; projectSlug: string; count: number })
          : undefined;
        if (message?.type === 'events' && message.projectSlug === server.installed.project)
          this.events += message.count;
      }
    }
  }

  close(): void {
    this.#closing.abort();
  }
}

const kinds = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const users = new Map<string, Set<string>>();
const sent = new Map<string, number>();

async function send(kind: string, user: string): Promise<void> {
  const event = { exception: { values: [{ type: kind, value: 'it broke' }] }, user: { id: user } };
  const answer = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: errorEnvelope(newEventId(), event),
  });
  expect(answer.status).toBe(200);
  sent.set(kind, (sent.get(kind) ?? 0) + 1);
  users.set(kind, (users.get(kind) ?? new Set()).add(user));
}

const expected = (): Counted =>
  Object.fromEntries([...sent].map(([kind, count]) => [`${kind}: it broke`, [count, users.get(kind)?.size ?? 0]]));

const allSent = (): number => [...sent.values()].reduce((sum, count) => sum + count, 0);

async function killEngine(): Promise<void> {
  const tasks = `/proc/${server.pid}/task`;
  for (const thread of await readdir(tasks)) {
    const children = await readFile(`${tasks}/${thread}/children`, 'utf8').catch(() => '');
    for (const pid of children.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  }
}

test('who hears of events is given them', { timeout: 180_000 }, async () => {
  const told = await Told.open();
  const rounds = endurance ? 60 : 8;
  for (let round = 0; round < rounds; round++) {
    for (let count = 0; count <= round % 5; count++) {
      await send(kinds[(round + count) % kinds.length] ?? '', `u${(round * 3 + count) % 7}`);
    }
    if (round % 4 === 2) await killEngine();
    await server.until(`round ${round} is told`, async () => told.events === allSent());
    expect(await shown(), `round ${round}`).toEqual(expected());
  }
  told.close();
});

test('what is put together counts together in the next answer, and apart when it is taken back', async () => {
  const [first, second] = await listed();
  if (!first || !second) throw new Error('two issues are missing');
  const merge = await server.api<{ merge: { parent: string } }>(
    `/organizations/acme/issues/?id=${first.id}&id=${second.id}`,
    { method: 'PUT', body: JSON.stringify({ merge: true }) },
  );
  const counts = new Map((await listed()).map(({ id, count }) => [id, Number(count)]));
  expect(counts.get(merge.merge.parent)).toBe(Number(first.count) + Number(second.count));
});

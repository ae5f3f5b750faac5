/** Several nodes on one PostgreSQL, killed while they evaluate: every cause is told once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lasting } from '../../base/testing.ts';
import { createAccounts } from '../accounts/index.ts';
import { errorRow, hash, openTestStores, store } from '../issues/testing/stores.ts';
import { makeUnsentChannel } from '../notify/testing/channels.ts';
import { openState } from '../../ports/state/open.ts';
import { sharedPostgres } from '../../ports/state/testing/postgres-server.ts';
import { addRule } from './rules.ts';
import type { NodeSetup } from './testing/node.ts';

const script = join(import.meta.dirname, 'testing/node.ts');

class Node implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #setup: NodeSetup;

  private constructor(setup: NodeSetup, child: ChildProcess) {
    this.#setup = setup;
    this.#child = child;
  }

  static async start(setup: NodeSetup): Promise<Node> {
    const child = spawn(process.execPath, [script, JSON.stringify(setup)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended: ${String(code)}`))),
    ]);
    return new Node(setup, child);
  }

  /** Another one in its place. */
  async killed(): Promise<Node> {
    const [next] = await Promise.all([Node.start(this.#setup), this[Symbol.asyncDispose]()]);
    return next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

test('two nodes, killed in turn, tell every cause once', async () => {
  await using opened = new AsyncDisposableStack();
  const [stores, postgres] = await Promise.all([openTestStores(), sharedPostgres()]);
  opened.use(stores);
  const stateOptions = { url: await postgres.createDatabase(), dataDir: '' };
  await using state = await openState(stateOptions);
  await state.migrate();
  const accounts = await createAccounts({
    state,
    getUrl: () => 'http://culprit.test',
    secret: 'a secret of thirty-two letters or more',
  });
  const { organization, project } = await accounts.setUp({
    email: 'dev@example.com',
    password: 'correct horse battery',
    organization: 'Acme',
    project: 'Web',
    platform: 'node',
  });
  const organizationId = organization.id;
  const channelIds = [await makeUnsentChannel(state, organizationId)];
  const shared = {
    enabled: true,
    projectIds: [],
    environment: '',
    throttleMinutes: 30,
    digestMinutes: 0,
    channelIds,
    owner: null,
  };
  const maker = { organizationId, userId: null };
  const conditions = [{ type: 'new_issue' }] as const;
  const plain = await addRule(
    state,
    maker,
    { ...shared, kind: 'issue', name: 'New', query: '', trigger: { match: 'any', conditions } },
    Date.now(),
  );
  const filtered = await addRule(
    state,
    maker,
    { ...shared, kind: 'issue', name: 'Fatal', query: 'level:fatal', trigger: { match: 'any', conditions } },
    Date.now(),
  );

  const setup: NodeSetup = { state: stateOptions, events: stores.address, everyMs: lasting(120, 40), leaseMs: 600 };
  let nodes = await Promise.all([Node.start(setup), Node.start(setup)]);
  const made = lasting(18, 36);
  const killEach = made / 3;
  let kills = 0;
  try {
    const row = (index: number) =>
      errorRow({
        project_id: project.id,
        group_hash: hash(`issue ${index}`),
        error_value: `issue ${index}`,
        level: index % 3 ? 'error' : 'fatal',
      });
    for (let index = 0; index < made; index += 1) {
      await store({ ...stores, state }, [row(index)]);
      await delay(index % 7);
      if ((index + 1) % killEach > 0) continue;
      // Whichever holds the lease and whatever it is doing.
      const [one, other] = nodes as [Node, Node];
      nodes = kills % 2 ? [one, await other.killed()] : [await one.killed(), other];
      kills += 1;
    }
    const firings = () => state.db.selectFrom('alert_firing').select(['rule_id', 'issue_id', 'state']).execute();
    await expect
      .poll(async () => (await firings()).filter((one) => one.state === 'told').length, {
        timeout: 60_000,
        interval: 200,
      })
      .toBe(made + made / 3);
    // What comes late would come now.
    await delay(1_000);
    const all = await firings();
    expect(all).toHaveLength(made + made / 3);
    const pairs = all.map((one) => `${one.rule_id}:${one.issue_id}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(all.filter((one) => one.rule_id === filtered)).toHaveLength(made / 3);
    // Each stands in one message.
    const messages = await state.db.selectFrom('delivery').select('notification').execute();
    const titles = messages.flatMap(({ notification }) => {
      const { rule, issue, sections } = JSON.parse(notification) as {
        rule: { id: number };
        issue?: { title: string };
        sections?: { lines: { title: string }[] }[];
      };
      const named = sections?.flatMap(({ lines }) => lines.map((line) => line.title.replace(/^\S+ /, ''))) ?? [
        issue?.title ?? '',
      ];
      return rule.id === plain ? named : [];
    });
    const expected = Array.from({ length: made }, (_, index) => `TypeError: issue ${index}`);
    expect(titles.toSorted()).toEqual(expected.toSorted());
    expect(kills).toBe(3);
  } finally {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  }
}, 180_000);

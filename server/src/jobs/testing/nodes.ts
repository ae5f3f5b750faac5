/** Two nodes on one PostgreSQL, killed at random while they work; and what they claimed from whom. For tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { State } from '../../ports/state/state.ts';
import type { NodeSetup } from './node.ts';

const script = join(import.meta.dirname, 'node.ts');

export type NodesSetup = Omit<NodeSetup, 'node'>;

interface Named extends NodeSetup {
  /** Told each line that it writes after it has begun. */
  readonly onLine: (line: string) => void;
}

class Node implements AsyncDisposable {
  readonly setup: Named;
  readonly #child: ChildProcess;
  /** It has ended, and all that it wrote was read. */
  readonly #closed: Promise<unknown>;

  private constructor(setup: Named, child: ChildProcess) {
    this.setup = setup;
    this.#child = child;
    this.#closed = once(child, 'close');
  }

  static async start(setup: Named): Promise<Node> {
    const { onLine, ...others } = setup;
    const child = spawn(process.execPath, [script, JSON.stringify(others)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const node = new Node(setup, child);
    const begun = Promise.withResolvers<void>();
    let isFirst = true;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!isFirst) onLine(line);
      isFirst = false;
      begun.resolve();
    });
    child.once('exit', (code) => begun.reject(new Error(`it ended: ${String(code)}`)));
    await begun.promise;
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

export interface Nodes extends AsyncDisposable {
  /** What they wrote, all starts together. */
  readonly lines: readonly string[];
  /** Kills one of them wherever it is, and starts it again, at once or when its leases have ended. */
  killOne(random: () => number): Promise<void>;
}

export async function startNodes(setup: NodesSetup): Promise<Nodes> {
  const lines: string[] = [];
  const onLine = (line: string): void => void lines.push(line);
  const nodes = await Promise.all(['one', 'other'].map((node) => Node.start({ ...setup, node, onLine })));
  return {
    lines,
    async killOne(random) {
      const index = random() < 0.5 ? 0 : 1;
      const killed = nodes[index];
      await killed?.[Symbol.asyncDispose]();
      if (random() < 0.5) await delay(setup.leaseMs * 1.5);
      if (killed) nodes[index] = await Node.start(killed.setup);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    },
  };
}

export interface Takeover {
  readonly table: string;
  readonly key: string;
  readonly from: string;
  /** When the claim of before ended, ms since the epoch. */
  readonly endedAt: number;
  readonly to: string;
  /** When the claim that follows ends. */
  readonly until: number;
}

/** From now on PostgreSQL writes down who takes over from whom. */
export async function auditClaims({ db }: State, tables: Readonly<Record<string, string>>): Promise<void> {
  await sql`create table takeover ("table" text, "key" text, "from" text, "endedAt" bigint, "to" text, "until" bigint)`.execute(
    db,
  );
  await sql`create function note_takeover() returns trigger as $$
    begin
      if old.claimed_by <> '' and new.claimed_by <> '' and old.claimed_by <> new.claimed_by then
        insert into takeover values
          (tg_table_name, to_jsonb(new) ->> tg_argv[0], old.claimed_by, old.claimed_until, new.claimed_by, new.claimed_until);
      end if;
      return new;
    end $$ language plpgsql`.execute(db);
  for (const [table, key] of Object.entries(tables)) {
    await sql`create trigger ${sql.ref(`note_${table}`)} after update on ${sql.table(table)}
      for each row execute function note_takeover(${sql.lit(key)})`.execute(db);
  }
}

export async function takeoversOf({ db }: State): Promise<Takeover[]> {
  return (await sql<Takeover>`select * from takeover`.execute(db)).rows;
}

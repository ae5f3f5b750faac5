/** For tests only: a type of item that this program does not have, as the three files that a new one takes. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Below `server/src`. */
const files: Readonly<Record<string, string>> = {
  'base/tables/readings.ts': `import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  readings: {
    filledBy: 'items',
    shardBy: 'project_id, timestamp',
    time: 'timestamp',
    age: 'timestamp',
    retention: 'other',
    category: 'reading',
    itemType: 'reading',
    exported: 'rows',
    scrubbed: 'as row',
    columns: {
      project_id: 'number',
      timestamp: 'millis',
      received_at: 'millis',
      sensor: 'text:id',
      note: 'text:message',
      value: 'number',
      labels: 'text by name',
    },
  },
} satisfies Record<string, TableRecord>;

export type ReadingRow = RowOf<typeof tables.readings>;
`,
  'ports/events/migrations/9001-readings.ts': `import type { Migration } from './migration.ts';

export const migration: Migration = {
  id: 9001,
  name: 'readings',
  statements: ({ onCluster, engine, settings }) => [
    \`CREATE TABLE IF NOT EXISTS readings\${onCluster} (
      project_id UInt64,
      timestamp DateTime64(3, 'UTC'),
      received_at DateTime64(3, 'UTC'),
      sensor LowCardinality(String),
      note String,
      value Float64,
      labels Map(LowCardinality(String), String)
    )
    ENGINE = \${engine('')}
    PARTITION BY toMonday(timestamp)
    ORDER BY (project_id, timestamp)
    SETTINGS \${settings()}\`,
  ],
};
`,
  'process/items/reading/index.ts': `import type { ReadingRow } from '../../../base/tables/readings.ts';
import { decodeJson } from '../../steps/decode.ts';
import { asObject } from '../../steps/json.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside } from '../kept/index.ts';

export const types = {
  reading(item, context) {
    const decoded = decodeJson(item.payload);
    const raw = decoded.ok ? asObject(decoded.value) : undefined;
    if (!raw) return keepAside(item, context, 'reading', { kind: 'invalid', reason: 'json' });
    const row: ReadingRow = {
      project_id: context.projectId,
      timestamp: Number(raw.at ?? context.receivedAt),
      received_at: context.receivedAt,
      sensor: String(raw.sensor),
      note: String(raw.note ?? ''),
      // As it came, so that the store has something to refuse.
      value: raw.value as number,
      labels: (raw.labels ?? {}) as Record<string, string>,
    };
    return {
      outcomes: [{ category: 'reading', outcome: { kind: 'accepted' }, quantity: 1 }],
      rows: { readings: [row] },
    };
  },
} satisfies ItemTypes;
`,
};

export interface OwnType extends AsyncDisposable {
  /** The main module of the program that has the type. */
  readonly program: string;
  /** What `npm run lists` has written, below \`server/src\`. */
  readonly lists: readonly string[];
  /** Throws unless the types of the program hold. */
  checkTypes(): Promise<void>;
}

/** The sources with the three files among them; without a bundle, so that the sources are what runs. */
export async function openOwnType(): Promise<OwnType> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-own-type-'));
  const sources = join(dir, 'server/src');
  await cp(join(root, 'server/src'), sources, {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  });
  for (const name of ['server/bin', 'server/package.json', 'package.json', 'tsconfig.base.json']) {
    await cp(join(root, name), join(dir, name), { recursive: true });
  }
  for (const name of ['node_modules', 'server/node_modules', 'console', 'packages']) {
    await symlink(join(root, name), join(dir, name));
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(sources, name)), { recursive: true });
    await writeFile(join(sources, name), text);
  }
  const { stdout } = await run(process.execPath, [join(root, 'scripts/lists.ts'), sources]);
  return {
    program: join(dir, 'server/bin/culprit.js'),
    lists: [...stdout.matchAll(/src\/(.*)$/gm)].map(([, path = '']) => path),
    async checkTypes() {
      const compilerOptions = { noEmit: true, composite: false, emitDeclarationOnly: false };
      // What else reads rows of all tables does so by what these two say of them.
      const config = {
        extends: '../tsconfig.base.json',
        compilerOptions,
        files: ['src/process/items/index.ts', 'src/ports/events/open.ts'],
      };
      await writeFile(join(dir, 'server/tsconfig.json'), JSON.stringify(config));
      await run(join(root, 'node_modules/.bin/tsc'), ['-p', join(dir, 'server')]);
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

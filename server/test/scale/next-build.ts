/** Another build of the server than the one under test: with a version and a migration of its own, beside it. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../src/ports/state/migrations/index.ts';

export interface Build extends AsyncDisposable {
  /** What Node starts. */
  readonly program: string;
  readonly version: string;
  readonly migration: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** `kind`: of its migration, which makes a table. */
export async function makeNextBuild(version: string, kind: 'expand' | 'contract'): Promise<Build> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-build-'));
  const server = join(dir, 'server');
  const migration = `9000-later-${kind}`;
  await mkdir(server);
  await cp(join(root, 'server/bin'), join(server, 'bin'), { recursive: true });
  const isWanted = (path: string): boolean => !/\/\.cache|\.map$/.test(path);
  await cp(join(root, 'server/dist'), join(server, 'dist'), { recursive: true, filter: isWanted });
  for (const name of ['node_modules', 'packages', 'console', 'server/node_modules', 'server/src']) {
    await symlink(join(root, name), join(dir, name));
  }
  const about = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as object;
  await writeFile(join(server, 'package.json'), JSON.stringify({ ...about, version }));
  await addMigration(join(server, 'dist'), migration, kind);
  return {
    program: join(server, 'bin/culprit.js'),
    version,
    migration,
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

/** At the end of the list, in the bundle. */
async function addMigration(dist: string, name: string, kind: string): Promise<void> {
  const last = migrations.at(-1)?.name;
  const table = `later_${kind}`;
  const added = `{name:"${name}",kind:"${kind}",async up(db){await db.schema.createTable("${table}").addColumn("id","integer").execute()}}`;
  for (const file of await readdir(dist)) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(join(dist, file), 'utf8');
    const [, variable] = new RegExp(`var (\\w+)=\\{name:"${last}"`).exec(text) ?? [];
    if (variable === undefined) continue;
    const end = `,${variable}]`;
    const parts = text.split(end);
    if (parts.length !== 2) throw new Error(`the list of migrations was not found in ${file}`);
    await writeFile(join(dist, file), parts.join(`,${variable},${added}]`));
    return;
  }
  throw new Error('no file of the bundle has migrations');
}

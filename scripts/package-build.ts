/**
 * How a package that is published comes into its `dist`: modules and declarations by the compiler; a bundle where others'
 * code must go along, or where there is no module loader.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Package {
  readonly name: string;
  /** Other packages whose sources or declarations go into this one; they stand before it. */
  readonly uses: readonly string[];
  /** Laid beside what the compiler made. */
  bundle?(source: string, outdir: string): BuildOptions;
}

function sourcesOf(dir: string): string[] {
  return readdirSync(join(dir, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function fingerprint({ name, uses }: Package): string {
  const dir = join(root, 'packages', name);
  const files = [
    ...[name, ...uses].flatMap((each) => sourcesOf(join(root, 'packages', each))),
    ...['package.json', 'tsconfig.build.json'].map((file) => join(dir, file)),
    ...['package-lock.json', 'tsconfig.base.json', 'tsconfig.package.json'].map((file) => join(root, file)),
    fileURLToPath(import.meta.url),
  ];
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** False when there were errors, which have been printed. */
async function buildPackage(one: Package, sources: string): Promise<boolean> {
  const dir = join(root, 'packages', one.name);
  const dist = join(dir, 'dist');
  // Built beside and then moved, so that whoever reads meanwhile finds the old files or the new ones.
  const fresh = join(dir, `.dist-${process.pid}`);
  try {
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { status } = spawnSync(tsc, ['-p', join(dir, 'tsconfig.build.json'), '--outDir', fresh], {
      stdio: 'inherit',
    });
    if (status !== 0) return false;
    const bundle = one.bundle?.(join(dir, 'src'), fresh);
    if (bundle) await build({ ...bundle, bundle: true, platform: 'neutral', logLevel: 'warning' });
    writeFileSync(join(fresh, '.sources'), sources);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Those whose sources changed since the last build. */
export async function buildPackages(packages: readonly Package[]): Promise<void> {
  for (const one of packages) {
    const stamp = join(root, 'packages', one.name, 'dist/.sources');
    const sources = fingerprint(one);
    const upToDate = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
    if (upToDate && !process.argv.includes('--force')) continue;
    if (!(await buildPackage(one, sources))) {
      console.error(`@culprit/${one.name} was not built`);
      process.exitCode = 1;
    }
  }
}

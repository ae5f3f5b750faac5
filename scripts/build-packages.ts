/** Builds the packages that the server and the console use, when their sources changed since the last build. */
import { join } from 'node:path';
import { buildPackages, type Package } from './package-build.ts';

const packages: readonly Package[] = [
  {
    name: 'react',
    uses: [],
    bundle: (source, outdir) => ({
      entryPoints: { guard: join(source, 'guard/main.ts') },
      outdir,
      format: 'iife',
      target: 'es2017',
      minify: true,
    }),
  },
  { name: 'next', uses: ['react'] },
  {
    name: 'tunnel',
    uses: ['envelope'],
    // The codec goes along, so that the package needs no other.
    bundle: (source, outdir) => ({
      entryPoints: ['tunnel', 'node', 'express', 'fastify', 'hono', 'next'].map((name) => join(source, `${name}.ts`)),
      outdir,
      format: 'esm',
      target: 'es2022',
      splitting: true,
      chunkNames: 'shared-[hash]',
      external: ['node:*'],
    }),
  },
];

await buildPackages(packages);

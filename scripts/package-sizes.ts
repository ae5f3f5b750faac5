/** What the published packages cost who uses them: bundled, minified, gzip; without the frameworks they are for. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const limitBytes = 3 * 1024;

const files = [
  ...['tunnel', 'node', 'express', 'fastify', 'hono', 'next'].map((name) => `packages/tunnel/dist/${name}.js`),
  ...['index', 'guard'].map((name) => `packages/react/dist/${name}.js`),
];

for (const file of files) {
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*', 'react', 'react/jsx-runtime', 'react-dom'],
    write: false,
    logLevel: 'error',
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.log(`${String(size).padStart(6)} of ${limitBytes} bytes  ${file}`);
  if (size > limitBytes) process.exitCode = 1;
}

/** The lines that make each bundler upload its source maps, with the place of this installation filled in. */
import * as m from '../../messages/source-maps.ts';

export interface UploadTarget {
  /** Of this Culprit, without a slash at its end. */
  readonly url: string;
  readonly org: string;
  readonly project: string;
}

export interface UploadSnippet {
  readonly install: string;
  readonly file: string;
  readonly language: 'sh' | 'typescript';
  readonly code: string;
}

export const bundlers = [
  { id: 'vite', name: 'Vite' },
  { id: 'next', name: 'Next.js' },
  { id: 'webpack', name: 'webpack' },
  { id: 'rollup', name: 'Rollup' },
  { id: 'esbuild', name: 'esbuild' },
  { id: 'cli', name: 'sentry-cli' },
] as const;
export type Bundler = (typeof bundlers)[number]['id'];

/** The bundler that a framework brings along. */
export function usualBundler(platform: string): Bundler {
  if (platform === 'javascript-nextjs') return 'next';
  return platform.startsWith('node') || platform === 'other' || platform === 'opentelemetry' ? 'cli' : 'vite';
}

export function uploadSnippet(bundler: Bundler, target: UploadTarget): UploadSnippet {
  const options = (indent: string, url = 'url'): string =>
    [
      `${url}: '${target.url}',`,
      `org: '${target.org}',`,
      `project: '${target.project}',`,
      'authToken: process.env.SENTRY_AUTH_TOKEN,',
      'telemetry: false,',
    ]
      .map((line) => indent + line)
      .join('\n');
  switch (bundler) {
    case 'vite':
      return {
        install: 'npm install --save-dev @sentry/vite-plugin',
        file: 'vite.config.ts',
        language: 'typescript',
        code: `import { sentryVitePlugin } from '@sentry/vite-plugin';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    // After all the others.
    sentryVitePlugin({
${options('      ')}
    }),
  ],
});`,
      };
    case 'next':
      return {
        install: 'npm install @sentry/nextjs',
        file: 'next.config.ts',
        language: 'typescript',
        code: `import { withSentryConfig } from '@sentry/nextjs';

const nextConfig = {};

export default withSentryConfig(nextConfig, {
${options('  ', 'sentryUrl')}
});`,
      };
    case 'webpack':
      return {
        install: 'npm install --save-dev @sentry/webpack-plugin',
        file: 'webpack.config.mjs',
        language: 'typescript',
        code: `import { sentryWebpackPlugin } from '@sentry/webpack-plugin';

export default {
  devtool: 'hidden-source-map',
  plugins: [
    sentryWebpackPlugin({
${options('      ')}
    }),
  ],
};`,
      };
    case 'rollup':
      return {
        install: 'npm install --save-dev @sentry/rollup-plugin',
        file: 'rollup.config.mjs',
        language: 'typescript',
        code: `import { sentryRollupPlugin } from '@sentry/rollup-plugin';

export default {
  input: 'src/main.js',
  output: { dir: 'dist', sourcemap: 'hidden' },
  plugins: [
    // After all the others.
    sentryRollupPlugin({
${options('      ')}
    }),
  ],
};`,
      };
    case 'esbuild':
      return {
        install: 'npm install --save-dev @sentry/esbuild-plugin',
        file: 'build.mjs',
        language: 'typescript',
        code: `import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/main.ts'],
  bundle: true,
  minify: true,
  sourcemap: 'external',
  outdir: 'dist',
  plugins: [
    // After all the others.
    sentryEsbuildPlugin({
${options('      ')}
    }),
  ],
});`,
      };
    case 'cli':
      return {
        install: 'npm install --save-dev @sentry/cli',
        file: m.cliFile,
        language: 'sh',
        code: `export SENTRY_URL=${target.url}
npx sentry-cli sourcemaps inject ./dist
npx sentry-cli sourcemaps upload --org ${target.org} --project ${target.project} ./dist`,
      };
  }
}

/** For the machine that builds. The name is what plugins and sentry-cli read. */
export function tokenLine(token: string | undefined): string {
  return `export SENTRY_AUTH_TOKEN=${token ?? 'sntrys_…'}`;
}

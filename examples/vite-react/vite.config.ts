import { guardScript } from '@culprit/react/guard-script';
import { sentryVitePlugin } from '@sentry/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Lays the guard beside the page, as a file of its own, so that `script-src 'self'` is enough. */
const guard: Plugin = {
  name: 'guard',
  configureServer: ({ middlewares }) => {
    middlewares.use('/guard.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript').end(guardScript());
    });
  },
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'guard.js', source: guardScript() });
  },
};

const outDir = process.env.DIST ?? 'dist';

/** Uploads source maps where a token is given, and leaves none beside the page. */
const sourceMaps = sentryVitePlugin({
  telemetry: false,
  release: { name: process.env.VITE_RELEASE },
  sourcemaps: { disable: !process.env.SENTRY_AUTH_TOKEN, filesToDeleteAfterUpload: `${outDir}/**/*.map` },
});

export default defineConfig({
  plugins: [react(), guard, sourceMaps],
  build: { outDir, emptyOutDir: true, sourcemap: 'hidden' },
  server: { proxy: { '/api': 'http://localhost:3000', '/monitoring': 'http://localhost:3000' } },
});

import { guardScript } from '@culprit/react/guard-script';
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

export default defineConfig({
  plugins: [react(), guard],
  build: { sourcemap: 'hidden' },
  server: { proxy: { '/api': 'http://localhost:3000', '/monitoring': 'http://localhost:3000' } },
});

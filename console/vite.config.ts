import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that the development proxy talks to. */
const server = process.env['CULPRIT_URL'] ?? 'http://127.0.0.1:7420';

export default defineConfig({
  plugins: [react()],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    sourcemap: true,
    // Read by scripts/budget.ts.
    manifest: true,
    // The policy allows no data: scripts or styles, and icons are components.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { advancedChunks: { groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }] } },
    },
  },
  server: { port: 7421, proxy: { '/api': server, '/monitoring': server } },
  preview: { port: 7422, proxy: { '/api': server, '/monitoring': server } },
});

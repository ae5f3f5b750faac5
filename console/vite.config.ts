import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The server that the development proxy talks to. */
const server = process.env['CULPRIT_URL'] ?? 'http://127.0.0.1:7420';

/** `/guard.js`, the classic script of `@culprit/react` that index.html starts with, as it was built there. */
function guardScript(): Plugin {
  const read = (): Buffer => readFileSync(fileURLToPath(import.meta.resolve('@culprit/react/guard.js')));
  return {
    name: 'guard-script',
    configureServer({ middlewares }) {
      middlewares.use('/guard.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(read());
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'guard.js', source: read() });
    },
  };
}

/** Modules that the issue page and other pages have in common, and the shell has not. */
const partsOfIssuePage = new RegExp(
  [
    'src/ui/(Count|Flag|Level|Menu|Panel|Popover|ScrollRegion|numbers)\\.',
    'src/features/(code/(use-highlight|CodeLine|language)|issues/issue-words|live/use-throttled)',
    'src/features/(stacktrace/(mapped|SourceBlock|braces)|search-box/term-text)',
    'packages/search/.*term-text',
    'lucide-react/.*/icons/(archive|chevron-(left|right|down)|link-2|rotate-ccw)\\.',
    'react-query/.*/(use(Base)?Query|useMutation|errorBoundaryUtils|suspense|IsRestoringProvider|QueryErrorResetBoundary)\\.js',
    'query-core/.*/(queryObserver|mutationObserver)\\.js',
  ].join('|'),
);

export default defineConfig({
  plugins: [react(), guardScript()],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // A map lies beside each file, and both names change with the content: release and address find it.
    sourcemap: true,
    // Read by scripts/budget.ts.
    manifest: true,
    // The policy allows no data: scripts or styles, and icons are components.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Pages are fetched ahead of the click, and scripts name what they import: only styles, which they do not, are listed.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
    },
    rollupOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // What the issue page shares with others, in one file: each small one has its cost, on the way from a digest
            // too. Without what these import in turn: the shell has most of that, and would load the file for it.
            { name: 'parts', includeDependenciesRecursively: false, test: partsOfIssuePage },
          ],
        },
      },
    },
  },
  server: { port: 7421, proxy: { '/api': server, '/monitoring': server } },
  preview: { port: 7422, proxy: { '/api': server, '/monitoring': server } },
});

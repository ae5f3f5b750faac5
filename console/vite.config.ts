import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import buildMessages, { catalogueNames, catalogues, compiled, modules, textsOf } from './scripts/build-messages.ts';
import { pseudoLocaleOf } from './scripts/pseudo.ts';
import { slim } from './scripts/slim.ts';

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

/** For trying texts and layouts: `CULPRIT_PSEUDO=en-XA`, or `en-XB`, which runs from right to left. */
const pseudo = pseudoLocaleOf(process.env['CULPRIT_PSEUDO']);

/** The modules of the catalogues; in a pseudo-locale they are made in the place of the files, which others use. */
function messages(): Plugin {
  return {
    name: 'messages',
    buildStart: () => buildMessages(),
    configureServer({ watcher }) {
      watcher.add(catalogues);
      for (const event of ['add', 'change', 'unlink'] as const)
        watcher.on(event, (file) => dirname(file) === catalogues && buildMessages());
    },
    load(id) {
      const name = basename(id, '.ts');
      if (pseudo && dirname(id) === modules && catalogueNames().includes(name)) return compiled(name, pseudo);
      return undefined;
    },
    transformIndexHtml(html) {
      const texts = textsOf('boot', pseudo);
      const filled = html.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => texts[key] ?? '');
      const dir = pseudo === 'en-XB' ? ' dir="rtl"' : '';
      return pseudo ? filled.replace('<html lang="en"', `<html lang="${pseudo}"${dir}`) : filled;
    },
  };
}

/** The browser learns of the typeface from the HTML, not from the sheet that comes later; its licence lies beside it. */
function typefaceFirst(): Plugin {
  return {
    name: 'typeface-first',
    apply: 'build',
    generateBundle() {
      const license = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
      this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source: readFileSync(license) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** The built sheet and script go behind the frame that index.html draws: what the head asks for is waited for. */
function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const moved: string[] = [];
        const rest = html.replaceAll(
          /\s*<(?:link rel="stylesheet"|script type="module")[^>]*>(?:<\/script>)?/g,
          (tag) => {
            moved.push(tag);
            return '';
          },
        );
        return rest.replace(/\s*<\/body>/, (end) => moved.toSorted().join('') + end);
      },
    },
  };
}

/** What comes after the content of the first page, in one file. */
const partsOfLater =
  /src\/(app\/(Connection|Failure|prefetch|prefetch-queue|shortcuts|watch-links)|messages\/(connection|failed-page)|ui\/(Tips|Toaster))\.|\/tinykeys\//;

/** What nearly every page has, and the shell has not. */
const partsOfEach = new RegExp(
  [
    'src/messages/(filters|flags|format|rich|time|ui)\\.',
    'src/ui/(Button|Chip|CopyButton|Count|Flag|KeyValue|Level|Notice|Panel|QueryView|ScrollRegion|Segments|State|Text|Time)\\.',
    'src/ui/(clock|code\\.module|copy|numbers|relative-time|title|toasts|verbatim)\\.',
    'src/features/(commands/shortcuts|filters/(Narrowed|range-words)|issues/issue-words|live/use-throttled|release-names/names|releases/ReleaseName)\\.',
    'src/features/search-box/term-text\\.|packages/search/.*(term-text|quotes)\\.',
    'lucide-react/.*/icons/(archive|check|chevron-(left|right|down)|copy|external-link|link-2|list-filter|rotate-c?cw|search-x|wifi-off|x)\\.',
    'react-query/.*/(use(Base)?Query|useMutation|errorBoundaryUtils|suspense|IsRestoringProvider|QueryErrorResetBoundary)\\.js',
    'query-core/.*/(queryObserver|mutationObserver)\\.js',
  ].join('|'),
);

/** What pages with a stack trace have in common. */
const partsOfStack = new RegExp(
  [
    'src/messages/(stacktrace|threads)\\.',
    'src/features/code/(use-highlight|CodeLine|language|tokens)\\.',
    'src/features/(stacktrace/(mapped|SourceBlock|braces|frames|stacktrace\\.module)|event/entries)',
    'lucide-react/.*/icons/braces\\.',
  ].join('|'),
);

/** Small modules of the list of issues, which many people begin with; a few other pages have some of them too. */
const partsOfList = new RegExp(
  [
    'src/features/triage/(PriorityMark|state-words|trail|use-triage|use-triage-commands)\\.',
    'src/features/(find/pasted|issues/IssueMark|projects/listed)\\.|src/messages/issues\\.',
    'lucide-react/.*/icons/(bookmark|users)\\.',
  ].join('|'),
);

/** Small modules of the other pages: one file in the place of a dozen. */
const partsOfPages = new RegExp(
  [
    'src/ui/(Page|Field|MenuList|Popover|durations|read-tokens)\\.',
    'src/features/(filters/FilterBar|list-pages/|commands/(use-row-keys|undo)|find/(pasted|places)|triage/(Avatar|initials))',
    'src/(features/charts/(Sparkline|bars|counts)|messages/counts)\\.',
    // What waits is seen in empty lists alone.
    'lucide-react/.*/icons/(?!radio\\.)',
  ].join('|'),
);

/** What is done to issues, and how routes did: each has its own few pages. */
const partsOfTriage = /src\/(messages\/triage|features\/triage\/(actions|assigned-tip|queries))\./;
const partsOfPerformance = /src\/(messages\/measures|features\/performance\/(performance\.module|words|Change))\./;

/** What charts share, but for the drawing of lines, which comes later. */
const partsOfCharts =
  /src\/features\/charts\/(Axes|BarChart|Bars|ChartFrame|ChartTable|Legend|LineChart|Marks|Plot|TimePlot|lines|marks|scales|selection|time-axis)\./;
const partsOfLines = /src\/features\/charts\/(Stroke|crosshair|series|use-width)\./;

/** Parts of `ui/` by who has them: pages with tables, those with lists and menus. */
const partsOfUi = {
  table: /src\/ui\/(Bar|Choice|Confirm|DataTable|Disclosure)\./,
  kit: new RegExp(
    [
      'src/ui/(Completion|DataList|Layout|Menu|NewsBar|OptionList\\.module|PlainForm|Tabs|Toolbar|field-frame|menu-item|menu-parts|options|row-link|use-popup)\\.',
      'lucide-react/.*/icons/star\\.|src/features/(issues/IssueSummary|settings/(SettingsBar|groups))\\.|src/messages/settings\\.',
    ].join('|'),
  ),
};

export default defineConfig({
  plugins: [react(), messages(), guardScript(), slim(), paintFirst(), typefaceFirst()],
  // React has had the hook itself since its version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // A map lies beside each file, and both names change with the content: release and address find it.
    sourcemap: true,
    // Read by scripts/budget.ts.
    manifest: true,
    // Read by scripts/notices.ts.
    license: { fileName: 'licenses.json' },
    // The policy allows no data: scripts or styles, and icons are components.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Pages are fetched ahead of the click, and scripts name what they import: only styles, which they do not, are listed.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
    },
    rollupOptions: {
      // A text is a constant, and is written where it is used: a page comes with its own words, and with no others.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Names of files are a tenth of what is loaded first; 42 bits tell the builds of one file apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // What nobody waits for.
            { name: 'later', includeDependenciesRecursively: false, test: partsOfLater },
            // What every page starts with.
            { name: 'base', tags: ['$initial'] },
            // What pages share, in few files: each small one has its cost. Without what these import in turn: the shell has
            // most of that, and would load the file for it.
            { name: 'parts', includeDependenciesRecursively: false, test: partsOfEach },
            { name: 'stack', includeDependenciesRecursively: false, test: partsOfStack },
            { name: 'list', includeDependenciesRecursively: false, test: partsOfList },
            { name: 'search', includeDependenciesRecursively: false, test: /packages\/search\// },
            ...Object.entries(partsOfUi).map(([name, test]) => ({
              name,
              includeDependenciesRecursively: false,
              minShareCount: 2,
              test,
            })),
            { name: 'form', includeDependenciesRecursively: false, test: /react-hook-form|src\/ui\/use-form\./ },
            { name: 'send', includeDependenciesRecursively: false, minShareCount: 2, test: /src\/ui\/Form(Error)?\./ },
            { name: 'triage', includeDependenciesRecursively: false, minShareCount: 2, test: partsOfTriage },
            { name: 'measures', includeDependenciesRecursively: false, minShareCount: 2, test: partsOfPerformance },
            // What most other pages share.
            { name: 'page', includeDependenciesRecursively: false, minShareCount: 4, test: partsOfPages },
            { name: 'charts', includeDependenciesRecursively: false, minShareCount: 2, test: partsOfCharts },
            { name: 'lines', includeDependenciesRecursively: false, minShareCount: 2, test: partsOfLines },
          ],
        },
      },
    },
  },
  server: { port: 7421, proxy: { '/api': server, '/monitoring': server } },
  preview: { port: 7422, proxy: { '/api': server, '/monitoring': server } },
});

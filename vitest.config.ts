import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { chromiumArguments, chromiumProgram } from './e2e/chromium-program.ts';
import { embeddedAlone, scaledSample } from './e2e/forms.ts';

/** Files that take long, the longest first: begun last, one of them would run alone at the end. */
const longest = [
  'e2e/pages.test.ts',
  'e2e/next-16.test.ts',
  'server/test/old-data.test.ts',
  'server/test/backup.test.ts',
  'e2e/prefetch.test.ts',
  'e2e/find.test.ts',
  'e2e/triage.test.ts',
  'server/test/cli.test.ts',
  'server/test/backup-s3.test.ts',
  'server/test/erase-command.test.ts',
  'server/test/twins.test.ts',
  'server/test/durability.test.ts',
  'server/test/downgrade.test.ts',
  'server/test/export.test.ts',
  'e2e/explore.test.ts',
  'e2e/access.test.ts',
  'e2e/languages.test.ts',
  'e2e/account.test.ts',
  'e2e/releases.test.ts',
  'server/test/disk.test.ts',
  'server/test/quotas.test.ts',
  'server/test/import-sentry.test.ts',
  'e2e/factors.test.ts',
  'e2e/load-failure.test.ts',
  'e2e/package.test.ts',
  'e2e/self-report.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const index = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      if (index >= 0) return index;
      return project.name === 'program' ? longest.length : longest.length + 1;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// npm says "production" where it leaves out packages for tests (.npmrc), and React is another one there.
process.env.NODE_ENV = 'test';

/** Programs under test are started hundreds of times from the same sources. */
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)) };

/** Enough for what all tests have open at once, bytes. */
const memoryWanted = 6 * 1024 ** 3;

/** Whether what is written below that directory stays in memory, and there is room. */
function isRoomyMemory(dir: string): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , kind, options = ''] = mounts.map((line) => line.split(' ')).find(([, at]) => at === dir) ?? [];
    const { bavail, bsize } = statfsSync(dir);
    // What lies there is taken from what programs have, and a container may have less than its /dev/shm says.
    const isRoomy = bavail * bsize >= memoryWanted && process.availableMemory() >= 2 * memoryWanted;
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && isRoomy;
  } catch {
    return false;
  }
}

// Stores wait for the disk with each batch. What tests store is gone with them, and in memory it costs a third less of
// the processor.
const memory = '/dev/shm';
if (!process.env.TMPDIR && isRoomyMemory(memory)) process.env.TMPDIR = memory;

// Tests of whole programs wait for processes and browsers more than they compute, and leave room for the small ones. Of
// two cores three leave nothing idle, and four take each other's time.
const maxWorkers = Math.min(availableParallelism() + 1, 6);

// What is waited for comes at once on an idle machine, and must still count when it comes late on a busy one.
// Asking seldom leaves the machine to what is waited for.
const poll = { timeout: 15_000, interval: 200 };

/** What tests and the programs under test are started with. */
const programEnv = {
  ...env,
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('server/test/cheap-hashes.js', import.meta.url))}`,
};

const wholePrograms = {
  globalSetup: ['e2e/prepare.ts'],
  testTimeout: 300_000,
  hookTimeout: 240_000,
  pool: 'forks' as const,
  // Each worker imports what drives programs and browsers once, not with each file.
  isolate: false,
  maxWorkers,
  env: programEnv,
  expect: { poll },
};

/** The end-to-end tests once more, each server as several nodes on shared stores. */
const scaledForm = { ...wholePrograms, env: { ...programEnv, CULPRIT_TEST_FORM: 'scaled' } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['console/scripts/build-messages.ts'],
          include: [
            'packages/*/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'console/{src,scripts}/**/*.test.ts',
          ],
          exclude: ['**/*.endurance.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          pool: 'forks',
          // What these files import is imported once a worker: that was a fourth of their processor time.
          isolate: false,
          maxWorkers,
          env: programEnv,
          expect: { poll },
        },
      },
      {
        plugins: [react()],
        // All that tests import is known before: what is found while they run loads the page anew.
        optimizeDeps: {
          include: [
            '@tanstack/react-query',
            '@tanstack/react-router',
            '@tanstack/react-virtual',
            'axe-core',
            'highlight.js/lib/core',
            'highlight.js/lib/languages/typescript',
            'lucide-react',
            'marked',
            'react',
            'react-dom/client',
            'react-hook-form',
            'react/jsx-dev-runtime',
            'vitest-browser-react',
            ...['autocomplete', 'dialog', 'menu', 'popover', 'toast', 'tooltip'].map(
              (part) => `@base-ui/react/${part}`,
            ),
          ],
        },
        test: {
          name: 'browser',
          include: ['console/src/**/*.test.tsx'],
          setupFiles: ['console/src/ui/testing/setup.ts'],
          // After all others: pictures are compared, and what is late on a busy machine looks different.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          expect: { poll },
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: { executablePath: chromiumProgram(), args: [...chromiumArguments] },
              // Larger than any part, which would else be drawn smaller.
              contextOptions: { viewport: { width: 1280, height: 1200 } },
            }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 1000, height: 700 },
            api: { host: '127.0.0.1' },
            screenshotFailures: false,
            expect: {
              toMatchScreenshot: {
                comparatorName: 'pixelmatch',
                // Edges of letters differ between machines; what moved or changed its colour is more than that.
                comparatorOptions: { threshold: 0.2, allowedMismatchedPixelRatio: 0.01 },
                resolveScreenshotPath: ({ arg, ext, root, testFileDirectory }) =>
                  `${root}/${testFileDirectory}/testing/looks/${basename(arg)}${ext}`,
              },
            },
          },
        },
      },
      {
        test: {
          name: 'program',
          include: ['server/test/**/*.test.ts', 'e2e/**/*.test.ts'],
          exclude: ['**/*.endurance.test.ts'],
          ...wholePrograms,
        },
      },
      {
        test: {
          name: 'endurance',
          include: [
            '**/*.endurance.test.ts',
            'server/test/{backup,backup-s3,bulk,disk,durability,hostile-traces,import-breaks,old-data}.test.ts',
            'server/test/{erase-restore,recovery,restore-project,storm}.test.ts',
            'server/test/attacks/sign-in.test.ts',
            'server/src/jobs/nodes.test.ts',
            'server/src/domains/alerts/nodes.test.ts',
            'server/src/domains/issues/merge/merge.test.ts',
            'server/src/domains/issues/queries/{indexed,known-numbers,searches}.test.ts',
            'server/src/ingest/shared-visitors.test.ts',
            'server/src/pipeline/twins.test.ts',
            'server/src/ports/events/{carry/carry,copy/copy}.test.ts',
            'server/src/ports/queue/{lmdb,nats-nodes}.test.ts',
            'e2e/{access,brief,next-16,pages,triage}.test.ts',
            'e2e/debug-files.test.ts',
          ],
          ...wholePrograms,
          env: { ...programEnv, CULPRIT_TEST_ENDURANCE: '1' },
        },
      },
      {
        test: {
          name: 'scaled',
          include: ['e2e/**/*.test.ts'],
          exclude: ['**/*.endurance.test.ts', ...Object.keys(embeddedAlone)],
          ...scaledForm,
          // Each server is six processes: fewer at once, and by themselves.
          maxWorkers: Math.max(1, Math.floor(maxWorkers / 3)),
          sequence: { groupOrder: 2 },
        },
      },
      { test: { name: 'sample', include: scaledSample, ...scaledForm } },
    ],
  },
});

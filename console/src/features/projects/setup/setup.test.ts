import { expect, test } from 'vitest';
import { byLanguage, languageOfPlatform, languages } from '../platforms.ts';
import { environment } from './environment-snippets.ts';
import { languageSetup } from './load.ts';
import { hasSourceMaps, releaseTools, sourceTools } from './release-snippets.ts';
import { extras, extrasOf, fill, type Extra } from './template.ts';

const target = { dsn: 'http://0123456789abcdef0123456789abcdef@localhost:7420/1', org: 'acme', project: 'web' };
const all = new Set<Extra>(extras);
const platforms = languages.flatMap((language) => byLanguage[language]);

const stepsOf = async (id: (typeof platforms)[number]) =>
  (await languageSetup(languageOfPlatform(id))).platforms[id]?.steps ?? [];

/** All code of a platform, with the extras that are wanted. */
const codeOf = async (id: (typeof platforms)[number], wanted: ReadonlySet<Extra> = all): Promise<string> =>
  (await stepsOf(id)).map(({ code }) => fill(code, target, wanted)).join('\n');

test.each(platforms)('%s installs, starts with the DSN and reports a test error', async (id) => {
  const code = await codeOf(id);
  expect(code).not.toMatch(/[‹›]/);
  // Without an SDK the key and the project stand in the address.
  if (id !== 'other' && id !== 'opentelemetry') expect(code).toContain(target.dsn);
  expect(code).toMatch(/Hello, Culprit|sentry:test|sentry\.send_test_event/);
});

test.each(platforms)('%s sends traces when they are wanted, and has nothing of them when not', async (id) => {
  const offered = extrasOf(await stepsOf(id));
  // Their SDKs trace by a switch in the editor, or only through another integration; some send no traces at all.
  if (!['other', 'opentelemetry', 'unity', 'unreal', 'java-logback', 'java-log4j2'].includes(id))
    expect(offered).toContain('traces');
  expect(await codeOf(id, new Set())).not.toMatch(/traces_?-?sample/i);
});

test('every language has only platforms that are listed', async () => {
  for (const language of languages)
    expect(Object.keys((await languageSetup(language)).platforms).toSorted(), language).toEqual(
      byLanguage[language].toSorted(),
    );
});

test('OpenTelemetry is configured by its own variables, in every language of servers', async () => {
  expect(fill(environment.code, target, all)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:7420\n');
  expect(fill(environment.code, target, all)).toContain('Bearer%200123456789abcdef0123456789abcdef');
  for (const language of ['javascript', 'python', 'ruby', 'php', 'java', 'go', 'rust', 'dotnet', 'elixir'] as const)
    expect((await languageSetup(language)).openTelemetry, language).not.toHaveLength(0);
});

test('without an SDK the key and the project are taken from the DSN', async () => {
  expect(await codeOf('other')).toContain(
    'http://localhost:7420/api/1/store/?sentry_key=0123456789abcdef0123456789abcdef',
  );
  const [step] = await stepsOf('other');
  expect(fill(step?.code ?? '', { ...target, dsn: 'broken' }, all)).toContain('/store/');
});

test('builds are told the address, the organisation and the project; source maps are for JavaScript alone', () => {
  for (const id of platforms) {
    const language = languageOfPlatform(id);
    for (const { name, steps } of [...releaseTools(language), ...sourceTools(id, language)]) {
      const code = steps.map((step) => fill(step.code, target, all)).join('\n');
      for (const part of ['http://localhost:7420', 'acme', 'web']) expect(code, `${id}, ${name}`).toContain(part);
      expect(code).not.toMatch(/[‹›]/);
    }
    expect(hasSourceMaps(id, language), id).toBe(language === 'javascript' || id === 'react-native');
  }
  expect(sourceTools('java-spring-boot', 'java').map(({ name }) => name)).toEqual(['Maven', 'Gradle', 'sentry-cli']);
  expect(sourceTools('python-django', 'python')).toEqual([]);
});

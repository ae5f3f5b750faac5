/** Frameworks that the setup knows, by language. The ids are those of Sentry's API where it has one. */
import * as m from '../../messages/platforms.ts';
import { verbatim } from '../../ui/verbatim.ts';

export type PlatformId = keyof typeof m.names;
export type Language = keyof typeof m.languages;

export const byLanguage: Readonly<Record<Language, readonly PlatformId[]>> = {
  javascript: ['javascript-nextjs', 'javascript-react', 'javascript', 'node-express', 'node'],
  python: [
    'python',
    'python-django',
    'python-flask',
    'python-fastapi',
    'python-starlette',
    'python-celery',
    'python-aiohttp',
    'python-tornado',
    'python-awslambda',
    'python-rq',
    'python-falcon',
    'python-bottle',
    'python-pyramid',
    'python-quart',
    'python-sanic',
  ],
  ruby: ['ruby', 'ruby-rails', 'ruby-rack', 'ruby-sidekiq'],
  php: ['php', 'php-laravel', 'php-symfony', 'php-wordpress'],
  java: ['java', 'java-spring-boot', 'java-logback', 'java-log4j2', 'java-quarkus', 'kotlin'],
  go: ['go', 'go-http', 'go-gin', 'go-echo', 'go-fiber', 'go-chi', 'go-fasthttp'],
  rust: ['rust', 'rust-actix', 'rust-axum', 'rust-tracing'],
  dotnet: ['dotnet', 'dotnet-aspnetcore', 'dotnet-blazor', 'dotnet-maui', 'dotnet-entityframework', 'dotnet-wpf'],
  elixir: ['elixir', 'elixir-phoenix'],
  dart: ['flutter', 'dart'],
  mobile: ['apple-ios', 'apple-macos', 'android', 'react-native'],
  games: ['unity', 'unreal'],
  native: ['native'],
  other: ['opentelemetry', 'other'],
};

export const languages = Object.keys(byLanguage) as Language[];

/** The one that most projects begin with. */
export const usualPlatform: PlatformId = 'javascript-nextjs';

/** Other words for a platform or a language than those of its name. */
const alsoCalled: Readonly<Partial<Record<PlatformId | Language, string>>> = {
  'java-spring-boot': verbatim`webflux hibernate jdbc`,
  'ruby-rack': verbatim`padrino hanami grape`,
  'php-laravel': verbatim`lumen`,
  'python-awslambda': verbatim`serverless chalice`,
  'dotnet-wpf': verbatim`winforms windows desktop`,
  'apple-ios': verbatim`swift swiftui objective-c uikit tvos watchos`,
  'apple-macos': verbatim`swift objective-c appkit`,
  'react-native': verbatim`expo javascript`,
  'go-http': verbatim`chi gorilla mux stdlib`,
  'rust-axum': verbatim`tower hyper tonic`,
  'elixir-phoenix': verbatim`liveview plug ecto oban`,
  opentelemetry: verbatim`otel otlp`,
  java: verbatim`jvm scala`,
  dotnet: verbatim`c# csharp f# fsharp vb`,
  native: verbatim`cpp crashpad breakpad qt`,
  javascript: verbatim`typescript js ts`,
};

export const isPlatform = (id: string): id is PlatformId => Object.hasOwn(m.names, id);

/** The nearest that the setup knows: itself, else what its first part names (`python-asgi` is `python`). */
export function knownPlatform(id: string | null): PlatformId {
  if (!id) return 'other';
  if (isPlatform(id)) return id;
  const first = id.split('-')[0] ?? '';
  return isPlatform(first) ? first : 'other';
}

export function languageOfPlatform(id: PlatformId): Language {
  return languages.find((language) => byLanguage[language].includes(id)) ?? 'other';
}

export function platformName(id: string | null): string {
  return id && isPlatform(id) ? m.names[id] : (id ?? '');
}

/** Platforms of which each typed word is a part of a name, by language; those whose own name begins so come first. */
export function searchPlatforms(typed: string): readonly (readonly [Language, readonly PlatformId[]])[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (language: Language, id: PlatformId): string =>
    [id, m.names[id], m.languages[language], alsoCalled[id], alsoCalled[language]].join(' ').toLowerCase();
  const found = languages.flatMap((language) => {
    const ids = byLanguage[language].filter((id) => words.every((word) => textOf(language, id).includes(word)));
    return ids.length > 0 ? [[language, ids] as const] : [];
  });
  const begins = (ids: readonly PlatformId[]): boolean =>
    ids.some((id) => m.names[id].toLowerCase().startsWith(words[0] ?? ''));
  return [...found.filter(([, ids]) => begins(ids)), ...found.filter(([, ids]) => !begins(ids))];
}

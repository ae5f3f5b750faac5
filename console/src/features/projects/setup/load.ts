/** The setup of a language comes when it is chosen. */
import { queryOptions } from '@tanstack/react-query';
import type { Language } from '../platforms.ts';
import type { Setup, SetupStep } from './template.ts';

export interface LanguageSetup {
  readonly platforms: Readonly<Record<string, Setup>>;
  /** After the environment that all languages share; absent where OpenTelemetry is no choice. */
  readonly openTelemetry?: readonly SetupStep[];
}

const loads: Readonly<Record<Language, () => Promise<LanguageSetup>>> = {
  javascript: () => import('./javascript-snippets.ts'),
  python: () => import('./python-snippets.ts'),
  ruby: () => import('./ruby-snippets.ts'),
  php: () => import('./php-snippets.ts'),
  java: () => import('./java-snippets.ts'),
  go: () => import('./go-snippets.ts'),
  rust: () => import('./rust-snippets.ts'),
  dotnet: () => import('./dotnet-snippets.ts'),
  elixir: () => import('./elixir-snippets.ts'),
  dart: () => import('./dart-snippets.ts'),
  mobile: () => import('./mobile-snippets.ts'),
  games: () => import('./games-snippets.ts'),
  native: () => import('./native-snippets.ts'),
  other: () => import('./other-snippets.ts'),
};

export const languageSetup = (language: Language) => loads[language]();

export const languageSetupQuery = (language: Language) =>
  queryOptions({
    queryKey: ['language-setup', language],
    queryFn: () => languageSetup(language),
    staleTime: Number.POSITIVE_INFINITY,
    // Code that is here answers without a network.
    networkMode: 'always',
  });

/** Grammars beside the highlighter's first one, each loaded when code in its language is seen. */
import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';

const grammars: Readonly<Record<string, () => Promise<{ default: LanguageFn }>>> = {
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  dart: () => import('highlight.js/lib/languages/dart'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  groovy: () => import('highlight.js/lib/languages/groovy'),
  java: () => import('highlight.js/lib/languages/java'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
};

/** Extensions of files, and platforms, that are called otherwise than their grammar. */
const otherNames: Readonly<Record<string, string>> = {
  cc: 'cpp',
  cocoa: 'swift',
  cs: 'csharp',
  cxx: 'cpp',
  ex: 'elixir',
  exs: 'elixir',
  gradle: 'groovy',
  h: 'cpp',
  hpp: 'cpp',
  kt: 'kotlin',
  kts: 'kotlin',
  m: 'objectivec',
  mm: 'objectivec',
  py: 'python',
  pyi: 'python',
  rake: 'ruby',
  rb: 'ruby',
  rs: 'rust',
};

/** Teaches the highlighter a language by the name it is asked for; an unknown one stays plain. */
export async function addLanguage(asked: string): Promise<void> {
  const name = (Object.hasOwn(otherNames, asked) && otherNames[asked]) || asked;
  const load = Object.hasOwn(grammars, name) && grammars[name];
  if (!load) return;
  hljs.registerLanguage(name, (await load()).default);
  hljs.registerAliases(asked, { languageName: name });
}

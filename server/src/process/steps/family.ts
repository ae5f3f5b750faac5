/** Platforms that share rules for stack frames. */
import type { Frame } from './event.ts';

export type Family = 'javascript' | 'python' | 'ruby' | 'php' | 'java' | 'csharp' | 'native' | 'other';

const families: Readonly<Record<string, Family>> = {
  javascript: 'javascript',
  node: 'javascript',
  python: 'python',
  ruby: 'ruby',
  php: 'php',
  java: 'java',
  kotlin: 'java',
  groovy: 'java',
  csharp: 'csharp',
  native: 'native',
  cocoa: 'native',
  objc: 'native',
  swift: 'native',
  c: 'native',
  rust: 'native',
};

export function platformFamily(platform: string): Family {
  return Object.hasOwn(families, platform) ? (families[platform] ?? 'other') : 'other';
}

/** Those among the others whose frames are told apart all the same; Rust's are machine code. */
const languages = new Set<string>(['go', 'elixir', 'dart'] satisfies Language[]);

export type Language = Family | 'go' | 'elixir' | 'dart';

export function languageOf(platform: string): Language {
  const family = platformFamily(platform);
  return family === 'other' && languages.has(platform) ? (platform as Language) : family;
}

/** A frame may name a platform of its own: React Native has Java and JavaScript frames in one event. */
export function frameFamily(frame: Frame, platform: string): Family {
  return platformFamily(frame.platform ?? platform);
}

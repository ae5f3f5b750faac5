/** Levels and platforms, from whatever clients call them. */

const levels = new Map([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['sample', 'info'],
  ['log', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  // Raven for Python sent the numbers of its logging module.
  ['50', 'fatal'],
  ['40', 'error'],
  ['30', 'warning'],
  ['20', 'info'],
  ['10', 'debug'],
]);

/** fatal, error, warning, info or debug; undefined for what is none of them. */
export function parseLevel(value: unknown): string | undefined {
  if (typeof value === 'number') return levels.get(String(value));
  return typeof value === 'string' ? (levels.get(value) ?? levels.get(value.toLowerCase())) : undefined;
}

const platforms = new Set([
  'as3',
  'c',
  'cfml',
  'cocoa',
  'csharp',
  'dart',
  'elixir',
  'go',
  'groovy',
  'haskell',
  'java',
  'javascript',
  'kotlin',
  'native',
  'node',
  'objc',
  'other',
  'perl',
  'php',
  'powershell',
  'python',
  'ruby',
  'rust',
  'swift',
]);

export function parsePlatform(value: unknown): string {
  return typeof value === 'string' && platforms.has(value) ? value : 'other';
}

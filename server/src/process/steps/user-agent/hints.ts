/** Client hints: what Chromium tells in headers of their own. They win over the User-Agent, which it has frozen. */
import type { UserAgent } from './parse.ts';

const brandForm = /"([^"]{1,60})"\s?;\s?v="([\d.]{1,40})"/g;
const filler = /Brand|Chromium|Gecko|WebKit/;

/** `hints` has lower-case names (`sec-ch-ua`, `sec-ch-ua-platform`, …). */
export function parseClientHints(hints: Readonly<Record<string, string>>): UserAgent {
  const model = unquote(hints['sec-ch-ua-model']);
  const platform = unquote(hints['sec-ch-ua-platform']);
  const version = unquote(hints['sec-ch-ua-platform-version']) ?? '';
  return {
    browser: parseBrands(hints['sec-ch-ua-full-version-list'] ?? hints['sec-ch-ua'] ?? ''),
    os: platform ? { name: osName(platform), version: osVersion(platform, version) } : undefined,
    device: model ? { family: model, model } : undefined,
  };
}

function parseBrands(header: string): UserAgent['browser'] {
  for (const [, brand = '', version = ''] of header.slice(0, 2048).matchAll(brandForm)) {
    if (filler.test(brand)) continue;
    return { name: brandName(brand), version };
  }
  return undefined;
}

function brandName(brand: string): string {
  if (brand === 'Google Chrome') return 'Chrome';
  return brand === 'Microsoft Edge' ? 'Edge' : brand;
}

function osName(platform: string): string {
  return platform === 'macOS' ? 'Mac OS X' : platform;
}

/** Windows sends a number that counts feature updates: 13 and later is Windows 11. */
function osVersion(platform: string, version: string): string {
  const major = Number.parseInt(version, 10);
  if (platform !== 'Windows' || Number.isNaN(major)) return version;
  if (major >= 13) return '11';
  return major > 0 ? '10' : '';
}

function unquote(value: string | undefined): string | undefined {
  const text = value
    ?.trim()
    .replace(/^"([^"]*)"$/, '$1')
    .slice(0, 100)
    .toWellFormed();
  return text ? text : undefined;
}

/** Clients that are newer than the published rules, or that these take for the browser they are built on. */
import type { Versioned } from './rules.ts';

/** Groups of a form are the version, most significant first. The first form that matches decides. */
const browsers: readonly (readonly [family: string, form: RegExp])[] = [
  ['Baidu Explorer', /\bbaiduboxapp\/(\d+)\.(\d+)\.(\d+)/],
  ['VivoBrowser', /\bVivoBrowser\/(\d+)\.(\d+)\.(\d+)/],
  ['Weibo', /__weibo__(\d+)\.(\d+)\.(\d+)/],
  ['Weibo', /\bWeiboIntliOS_/],
  ['UC Browser', /\bUC(?:Mobile|Browser)\/(\d+)\.(\d+)(?:\.(\d+))?/],
  ['Opera GX', /\bOPX\/(\d+)\.(\d+)/],
  ['Camoufox', /\bCamoufox (\d+)\.(\d+)/],
  ['Ruxit Synthetic', /\bRuxitSynthetic\/(\d+)\.(\d+)/],
  ['Steam Deck', /\[Steam Deck .{0,100}? Chrome\/(\d+)\.(\d+)\.(\d+)/],
  ['Open Wave', /\bOpenWave\/(\d+)\.(\d+)\.(\d+)/],
  ['OBS Studio', /\bOBS\/(\d+)\.(\d+)\.(\d+)/],
  ['Adobe CEP', /\bAdobeCEP\/(\d+)\.(\d+)\.(\d+)/],
  ['CitizenFX', /\bCitizenFX\/(\d+)\.(\d+)\.(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)\.(\d+)(?:\.(\d+))?/],
  ['Google-InspectionTool', /\bGoogle-InspectionTool\/(\d+)\.(\d+)/],
  ['AncestryAndroid', /^AncestryAndroid\/(\d+)\.(\d+)\.(\d+)/],
  ['GPTBot', /\bGPTBot\/(\d+)\.(\d+)/],
  ['ClaudeBot', /\bClaudeBot\/(\d+)\.(\d+)/],
];

/** A Chromium that calls itself by a name of its own at the end: `… Safari/537.36 Name/1.2.3.4`. */
const ownName = / Chrome\/[\d.]+ Safari\/[\d.]+ ([A-Z][A-Za-z]{3,30})\/(\d+)\.(\d+)\.(\d+)\.\d+$/;
/** What stands there in browsers whose names the rules know. */
const known = /^(?:Edge?|Opera|Vivaldi|Yowser|Whale|Iron|Avast|Brave|Sidekick|Norton|AVG|CCleaner|Viv|Ghost)/;

export function newerBrowserOf(text: string): Versioned | undefined {
  for (const [family, form] of browsers) {
    const match = form.exec(text);
    if (match) return { family, parts: match.slice(1) };
  }
  return undefined;
}

/** `seen` is what the rules say: what they take for Chrome may name itself, and what they do not know may be cut short. */
export function namedByItself(text: string, seen: Versioned): Versioned | undefined {
  if (seen.family === 'Other') {
    const [, family, major] = /^Mozilla\/5\.0 .* (Chrome|Firefox)\/(\d+)$/.exec(text) ?? [];
    return family === undefined ? undefined : { family, parts: [major] };
  }
  if (seen.family !== 'Chrome') return undefined;
  const [, name, ...parts] = ownName.exec(text) ?? [];
  return name !== undefined && !known.test(name) ? { family: name, parts } : undefined;
}

/** Each needs its form, its version is that of another. */
const chromecasts: readonly (readonly [family: string, form: RegExp, version: RegExp])[] = [
  ['Chromecast Android', /DeviceType\/AndroidTV/, /Android (\d+)(?:\.(\d+))?(?:\.(\d+))?/],
  ['Chromecast SmartSpeaker', /DeviceType\/SmartSpeaker/, /\bCrKey\/(\d+)\.(\d+)(?:\.(\d+))?/],
  ['Chromecast Linux', /Linux (?:armv|aarch|x86)/, /\bCrKey\/(\d+)\.(\d+)(?:\.(\d+))?/],
];

export function newerSystemOf(text: string): Versioned | undefined {
  if (!/\bCrKey\//.test(text)) return undefined;
  const cast = chromecasts.find(([, form]) => form.test(text));
  return cast && { family: cast[0], parts: cast[2].exec(text)?.slice(1) ?? [] };
}

/** The kernel's version tells that of the system where the rules know only its name: 23 is iOS 17, 25 is iOS 26. */
export function systemOfKernel(text: string, seen: Versioned): Versioned | undefined {
  if (seen.family !== 'iOS' || seen.parts[0] !== undefined) return undefined;
  const [, kernel, minor] = /\bCFNetwork\/[\d.]+ Darwin\/(\d{2})\.(\d{1,2})/.exec(text) ?? [];
  if (kernel === undefined || Number(kernel) < 23) return undefined;
  return { family: 'iOS', parts: [String(Number(kernel) + (Number(kernel) < 25 ? -6 : 1)), minor] };
}

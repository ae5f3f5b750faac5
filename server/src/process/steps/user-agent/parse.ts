/** A User-Agent header taken apart: `bowser` recognises it, this gives the names that dashboards know (those of uap-core). */
import * as bowser from 'bowser';

export interface UserAgent {
  readonly browser?: { readonly name: string; readonly version: string };
  readonly os?: { readonly name: string; readonly version: string };
  readonly device?: { readonly family: string; readonly model?: string; readonly brand?: string };
}

export const maxUserAgentLength = 2048;

/** Names by what bowser calls them; a second one where the mobile form has a name of its own. */
const families: Readonly<Record<string, readonly [desktop: string, mobile?: string]>> = {
  Chrome: ['Chrome', 'Chrome Mobile'],
  Safari: ['Safari', 'Mobile Safari'],
  Firefox: ['Firefox', 'Firefox Mobile'],
  'Microsoft Edge': ['Edge', 'Edge Mobile'],
  Opera: ['Opera', 'Opera Mobile'],
  'Opera Coast': ['Coast'],
  'Opera Touch': ['Opera Touch'],
  'Internet Explorer': ['IE', 'IE Mobile'],
  'Samsung Internet for Android': ['Samsung Internet'],
  'Android Browser': ['Android'],
  BlackBerry: ['BlackBerry WebKit'],
  'NAVER Whale Browser': ['Whale'],
  'Yandex Browser': ['Yandex Browser'],
  'UC Browser': ['UC Browser'],
  WeChat: ['WeChat'],
  QupZilla: ['QupZilla'],
  'MZ Browser': ['MZBrowser'],
  'K-Meleon': ['K-Meleon'],
  'Amazon Silk': ['Amazon Silk'],
  AmazonBot: ['Amazonbot'],
  BingCrawler: ['bingbot'],
  FacebookExternalHit: ['FacebookBot'],
  Googlebot: ['Googlebot'],
  DuckDuckBot: ['DuckDuckBot'],
};

/** What bowser has no name for, or sees as the browser it is built on. First match wins; `$1` of the match is the version. */
const ownRules: readonly (readonly [family: string, form: RegExp])[] = [
  ['HeadlessChrome', /HeadlessChrome\/([\d.]+)/],
  ['Electron', /Electron\/([\d.]+)/],
  ['Facebook', /\[FB.{0,40}?(?:FBAV|FBSV)\/([\d.]+)/],
  ['Instagram', /Instagram ([\d.]+)/],
  ['Snapchat', /Snapchat\/?\s?([\d.]+)/],
  ['Pinterest', /\[?Pinterest\/(?:iOS|Android|([\d.]+))/],
  ['LINE', /\bLine\/([\d.]+)/],
  ['Opera Mini', /Opera Mini\/([\d.]+)|OPiOS\/([\d.]+)/],
  ['Brave', /Brave\/([\d.]+)/],
  ['DuckDuckGo Mobile', /DuckDuckGo\/([\d.]+)/],
  ['QQ Browser Mobile', /MQQBrowser\/(?:Mini)?([\d.]+)/],
  ['Baidu Browser', /baidubrowser[/ ]([\d.]+)/i],
  ['MiuiBrowser', /MiuiBrowser\/([\d.]+)/],
  ['HuaweiBrowser', /HuaweiBrowser\/([\d.]+)/],
  ['Vivaldi', /Vivaldi\/([\d.]+)/],
  ['Puffin', /Puffin\/([\d.]+)/],
  ['Sogou Explorer', /SogouMobileBrowser\/([\d.]+)|MetaSr ([\d.]+)/],
  ['PhantomJS', /PhantomJS\/([\d.]+)/],
  ['okhttp', /okhttp\/([\d.]+)/],
  ['Python Requests', /python-requests\/([\d.]+)/],
  ['Go-http-client', /Go-http-client\/([\d.]+)/],
  ['axios', /axios\/([\d.]+)/],
  ['curl', /^curl\/([\d.]+)/],
  ['Wget', /^Wget\/([\d.]+)/],
  ['Apache-HttpClient', /Apache-HttpClient\/([\d.]+)/],
  ['GPTBot', /GPTBot\/([\d.]+)/],
  ['ClaudeBot', /ClaudeBot\/([\d.]+)/],
  ['AhrefsBot', /AhrefsBot\/([\d.]+)/],
  ['bingbot', /bingbot\/([\d.]+)/],
  ['Chrome Mobile iOS', /CriOS\/([\d.]+)/],
  ['Firefox iOS', /FxiOS\/([\d.]+)/],
  ['Chrome Mobile WebView', /; wv\).{0,80}Chrome\/([\d.]+)/],
  ['Mobile Safari UI/WKWebView', /(?:iPhone|iPad|iPod)(?!.*(?:Safari|Version)\/).*AppleWebKit()/],
];

const remembered = new Map<string, UserAgent>();
const maxRemembered = 2000;

/** The same header gives the same answer, remembered for the last 2,000 headers. */
export function parseUserAgent(header: string): UserAgent {
  // A piece of a long text would keep the whole of it in memory.
  if (header.length > maxUserAgentLength) return recognise(header.slice(0, maxUserAgentLength));
  const known = remembered.get(header);
  if (known) {
    // Set again, so that the first in the map is always the one unused for longest.
    remembered.delete(header);
    remembered.set(header, known);
    return known;
  }
  const parsed = recognise(header);
  if (remembered.size >= maxRemembered) {
    const oldest = remembered.keys().next();
    if (!oldest.done) remembered.delete(oldest.value);
  }
  remembered.set(header, parsed);
  return parsed;
}

type Seen = ReturnType<typeof bowser.parse>;

function recognise(text: string): UserAgent {
  if (text.trim() === '') return {};
  let seen: Seen;
  try {
    seen = bowser.parse(text);
  } catch {
    return {};
  }
  return { browser: browserOf(text, seen), os: osOf(text, seen), device: deviceOf(text, seen) };
}

function browserOf(text: string, seen: Seen): UserAgent['browser'] {
  for (const [name, form] of ownRules) {
    const match = form.exec(text);
    if (match) return { name, version: shortVersion(match[1] ?? match[2]) };
  }
  const { name, version } = seen.browser;
  // What it does not know it calls by the text's first word, or by all of it.
  if (!name || name === 'Unknown' || name === 'Mozilla' || !/^[\w .-]{1,40}$/.test(name)) return undefined;
  const [desktop, mobile] = families[name] ?? [name];
  const small = seen.platform.type === 'mobile' || seen.platform.type === 'tablet';
  return { name: small ? (mobile ?? desktop) : desktop, version: shortVersion(version) };
}

const osNames: Readonly<Record<string, string>> = {
  macOS: 'Mac OS X',
  'Chrome OS': 'Chrome OS',
  BlackBerry: 'BlackBerry OS',
  WebOS: 'webOS',
  PlayStation: 'Playstation',
};

function osOf(text: string, seen: Seen): UserAgent['os'] {
  const distribution =
    /\b(Ubuntu|Fedora|Debian|CentOS|Gentoo|FreeBSD|OpenBSD|NetBSD|KAIOS|Tizen)\b(?:[/ ]([\d.]+))?/.exec(text);
  if (distribution?.[1]) {
    return { name: distribution[1] === 'KAIOS' ? 'KaiOS' : distribution[1], version: shortVersion(distribution[2]) };
  }
  const { name, version, versionName } = seen.os;
  if (!name) return undefined;
  if (name === 'Windows') return { name, version: windowsVersion(versionName, version) };
  const raw = shortVersion(version);
  // Browsers no longer tell newer ones apart.
  return { name: osNames[name] ?? name, version: name === 'macOS' && raw === '10.15.7' ? '>=10.15.7' : raw };
}

function windowsVersion(versionName: string | undefined, version: string | undefined): string {
  const said = versionName ?? version ?? '';
  return said === '10' ? '>=10' : said.replace(/^NT /, '');
}

function deviceOf(text: string, seen: Seen): UserAgent['device'] {
  const apple = /\b(iPhone|iPad|iPod)\b/.exec(text)?.[1];
  if (apple) return { family: apple, model: apple, brand: 'Apple' };
  if (seen.platform.type === 'bot' || /bot\b|spider|crawl/i.test(text))
    return { family: 'Spider', model: 'Desktop', brand: 'Spider' };
  if (/\bMacintosh\b/.test(text)) return { family: 'Mac', model: 'Mac', brand: 'Apple' };
  const model = /;\s?([^;()]{1,60}?)(?: Build\/[^;)]{0,60}|; wv)?\)/.exec(text)?.[1]?.trim();
  if (!/Android/.test(text) || !model || /^(?:Android|Linux|U|wv|rv:|[a-z]{2}(?:[-_][a-zA-Z]{2})?$)/.test(model))
    return undefined;
  if (/^(?:SM-|GT-|SCH-|SGH-)/.test(model)) return { family: `Samsung ${model}`, model, brand: 'Samsung' };
  if (model.startsWith('Pixel')) return { family: model, model, brand: 'Google' };
  return { family: model, model };
}

/** `major.minor.patch` as far as it goes. */
function shortVersion(version: string | undefined): string {
  return (version ?? '').replaceAll('_', '.').split('.').slice(0, 3).join('.');
}

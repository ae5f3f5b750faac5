/** What a browser's security report says: the violated rule, what was blocked, and a title for people. */
import { titles } from '../../base/texts/events.ts';
import type { Event, SecurityReport } from './event.ts';
import { asText } from './json.ts';

/** The report that an event carries, if it is one. */
export function securityReport(event: Event): SecurityReport | undefined {
  if (event.csp) return { kind: 'csp', report: event.csp };
  if (event.hpkp) return { kind: 'hpkp', report: event.hpkp };
  if (event.expectct) return { kind: 'expectct', report: event.expectct };
  return event.expectstaple ? { kind: 'expectstaple', report: event.expectstaple } : undefined;
}

export function cspDirective(report: SecurityReport['report']): string {
  return asText(report.effective_directive) ?? asText(report.violated_directive)?.split(/\s/, 1)[0] ?? '';
}

/** Kind of a script of the page itself that the policy forbids: `unsafe-inline`, `unsafe-eval`, or '' for a foreign resource. */
export function localViolation(report: SecurityReport['report']): string {
  if (!cspDirective(report).startsWith('script-src') || !isOwn(report)) return '';
  const violated = asText(report.violated_directive) ?? '';
  if (violated.includes("'unsafe-inline'")) return 'unsafe-inline';
  return violated.includes("'unsafe-eval'") ? 'unsafe-eval' : '';
}

function isOwn(report: SecurityReport['report']): boolean {
  const blocked = asText(report.blocked_uri) ?? '';
  return blocked === '' || blocked === 'self' || blocked === "'self'";
}

/** Host of what was blocked (with the scheme unless http), a keyword such as `inline` or `data`, or `'self'`. */
export function blockedSource(report: SecurityReport['report']): string {
  const blocked = asText(report.blocked_uri) ?? '';
  if (isOwn(report)) return "'self'";
  const match = /^([a-z][a-z\d+.-]{0,30}):(?:\/\/([^/?#\s]{0,255}))?/i.exec(blocked);
  if (!match) return blocked.split('/', 1)[0]?.slice(0, 255) ?? '';
  const [, scheme = '', host = ''] = match;
  if (host !== '' && host === hostOf(asText(report.document_uri))) return "'self'";
  if (host === '') return scheme.toLowerCase();
  return /^https?$/i.test(scheme) ? host : `${scheme}://${host}`;
}

function hostOf(uri: string | undefined): string {
  return /^[a-z][a-z\d+.-]{0,30}:\/\/([^/?#\s]{1,255})/i.exec(uri ?? '')?.[1] ?? '';
}

const nouns: Readonly<Record<string, string>> = {
  'child-src': 'child',
  'connect-src': 'connect',
  'font-src': 'font',
  'form-action': 'form',
  'frame-src': 'frame',
  'img-src': 'image',
  'manifest-src': 'manifest',
  'media-src': 'media',
  'object-src': 'object',
  'script-src': 'script',
  'script-src-attr': 'script',
  'script-src-elem': 'script',
  'style-src': 'style',
  'style-src-attr': 'style',
  'style-src-elem': 'style',
  'worker-src': 'worker',
};

export function securityTitle({ kind, report }: SecurityReport): string {
  if (kind === 'csp') {
    const directive = cspDirective(report);
    const noun = nouns[directive] ?? directive;
    const source = blockedSource(report);
    const local = localViolation(report);
    if (local === 'unsafe-inline' || source === 'inline') return titles.inline(noun);
    if (local === 'unsafe-eval' || source === 'eval') return titles.unsafeEval(noun);
    return titles.blocked(noun, source === "'self'" ? 'self' : source);
  }
  const host = asText(report.hostname) ?? titles.unknownHost;
  if (kind === 'hpkp') return titles.pinning(host);
  return titles.failed(kind, host);
}

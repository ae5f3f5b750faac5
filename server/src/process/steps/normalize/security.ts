/** Browser security reports, from SDK-made events and from browsers themselves: one shape for all wordings. */
import type { SecurityReport } from '../event.ts';
import { asCount, asList, asObject, asText, type JsonObject } from '../json.ts';
import { cutText, textLimits } from '../limits.ts';

export const securityKinds = ['csp', 'hpkp', 'expectct', 'expectstaple'] as const;

const envelopes: readonly (readonly [key: string, kind: SecurityReport['kind']])[] = [
  ['csp-report', 'csp'],
  ['known-pins', 'hpkp'],
  ['expect-ct-report', 'expectct'],
  ['expect-staple-report', 'expectstaple'],
];

const cspNames = new Map([
  ['documentURL', 'document_uri'],
  ['documentURI', 'document_uri'],
  ['blockedURL', 'blocked_uri'],
  ['blockedURI', 'blocked_uri'],
  ['sample', 'script_sample'],
]);

/**
 * `{"csp-report": {…}}`, its siblings for Expect-CT, Expect-Staple and HPKP, and the entries of the Reporting API
 * (`{type: "csp-violation", body: {…}}`). Undefined for what is none of them.
 */
export function parseBrowserReport(value: unknown): SecurityReport | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  for (const [key, kind] of envelopes) {
    if (!(key in raw)) continue;
    const inner = kind === 'hpkp' ? raw : asObject(raw[key]);
    return inner ? { kind, report: parseReport(inner) } : undefined;
  }
  const body = asObject(raw.body);
  if (body && raw.type === 'csp-violation') {
    const report = parseReport(body);
    if (report.document_uri === undefined && typeof raw.url === 'string')
      report.document_uri = cutText(raw.url, textLimits.url);
    return { kind: 'csp', report };
  }
  return undefined;
}

/** Keys in snake case, values bounded; lists of texts (certificates) at most 20. */
export function parseReport(raw: JsonObject): JsonObject {
  const report: JsonObject = {};
  let count = 0;
  for (const name in raw) {
    if (++count > 50) break;
    const key = cspNames.get(name) ?? snakeCase(name);
    const value = raw[name];
    const text = asText(value);
    if (key === '__proto__') continue;
    if (typeof value === 'boolean') report[key] = value;
    else if (typeof value === 'number') report[key] = asCount(value);
    else if (text !== undefined) report[key] = cutText(text, textLimits.message);
    else if (asList(value)) report[key] = parseListOfTexts(value);
  }
  // Old browsers send no effective directive: the first word of the violated one is it.
  if (report.effective_directive === undefined && typeof report.violated_directive === 'string') {
    report.effective_directive = report.violated_directive.trim().split(/\s+/, 1)[0];
  }
  return report;
}

function parseListOfTexts(value: unknown): (string | JsonObject)[] {
  return (asList(value) ?? []).slice(0, 20).flatMap((entry) => {
    const text = asText(entry);
    return text === undefined ? [] : [cutText(text, textLimits.message)];
  });
}

function snakeCase(name: string): string {
  return name
    .slice(0, 64)
    .replaceAll('-', '_')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

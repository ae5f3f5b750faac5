/** A query that holds what a request sent, word for word: who sends it decides what is asked. */
import type { Detect } from '../problem.ts';
import { isDatabase, isKeyValue, isSelect, queryText, shownQuery } from '../queries.ts';
import type { Segment, SegmentSpan } from '../segment.ts';
import { facts } from '../../../base/texts/detectors.ts';

/** Found in queries whatever a request says. */
const words = new Set(
  'select where and or not in like limit order by group having distinct join on as case when then else end union all any some exists desc asc null sort expand page true false'.split(
    ' ',
  ),
);
/** Values that stand apart from the query, or another tool's escaping. */
const parameterised = /[?]|\$\d|%s|%\(\w|&[A-Za-z_]|:[A-Za-z_]\w*\b/;
const maxParameters = 50;

export const queryInjection: Detect<'queryInjection'> = (segment, { minLength }) => {
  const parameters = parametersOf(segment, minLength);
  if (parameters.length === 0) return [];
  return segment.spans.filter(isEligible).flatMap((span) => {
    const searched = conditionsOf(queryText(span));
    const found = parameters.filter(([key, value]) => holdsWord(searched, key) && holdsWord(searched, value));
    if (found.length === 0) return [];
    const names = [...new Set(found.map(([key]) => key))];
    return [
      {
        detector: 'queryInjection',
        fingerprint: [...names, span.hash],
        subtitle: facts.untrustedInput(names, shownQuery(span)),
        op: span.op,
        offenders: [span],
        facts: [
          { name: facts.requestParameters, value: names.join(', ') },
          { name: facts.query, value: shownQuery(span) },
        ],
        data: { repeatingSpans: shownQuery(span), vulnerableParameters: names },
      },
    ];
  });
};

function isEligible(span: SegmentSpan): boolean {
  if (!isDatabase(span) || isKeyValue(span) || span.op === 'db.sql.active_record' || !isSelect(span)) return false;
  // What these write was put together by a tool that escapes.
  if (span.origin === 'auto.db.rails' || span.origin.startsWith('auto.db.otel.')) return false;
  if (span.attributes['db.sql.bindings'] !== undefined) return false;
  const text = queryText(span);
  return /\bwhere\b/i.test(text) && !parameterised.test(text);
}

/** What stands after WHERE and before a comment. */
function conditionsOf(text: string): string {
  const where = text.search(/\bwhere\b/i);
  const comment = text.indexOf('--', where);
  return text.slice(where, comment < 0 ? undefined : comment);
}

/** As a name or a value by itself, bare or in quotes. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + word.length] ?? ' ';
    if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return true;
  }
  return false;
}

/** Of the query string and of a body in JSON or as a form sends it. */
function parametersOf({ root }: Segment, minLength: number): [key: string, value: string][] {
  const { attributes = {} } = root ?? {};
  const query = attributes['url.query'] || (attributes['url.full'] ?? '').split('?').slice(1).join('?');
  const pairs = [
    ...new URLSearchParams(query.split('#', 1)[0]),
    ...bodyPairs(attributes['http.request.body.data'] ?? ''),
  ];
  return pairs
    .filter(
      ([key, value]) => key !== '' && value.length >= minLength && key !== value && !isWord(key) && !isWord(value),
    )
    .slice(0, maxParameters);
}

const isWord = (text: string): boolean => words.has(text.toLowerCase());

function bodyPairs(body: string): [string, string][] {
  if (!body.startsWith('{')) return body.includes('=') ? [...new URLSearchParams(body)] : [];
  try {
    const object: unknown = JSON.parse(body);
    if (typeof object !== 'object' || object === null) return [];
    return Object.entries(object).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
    );
  } catch {
    return [];
  }
}

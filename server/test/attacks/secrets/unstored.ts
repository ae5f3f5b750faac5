/** Texts that are stored nowhere, whoever sends them, and why: what the search cannot find there. */

interface Unstored {
  readonly places: RegExp;
  readonly why: string;
}

export const unstored: readonly Unstored[] = [
  { places: /^user-agent of others$/, why: 'kept only where it is asked for' },
  {
    places: /\.(?:level|platform|status|kind|type|method|inferred_content_type|category)$/,
    why: 'only known words are kept',
  },
  {
    places: /\.(?:sentry\.)?(?:op|origin|kind|platform|source)(?:\.value)?$/,
    why: 'a column; what stands in a field of its own wins',
  },
  { places: /ip_address(?:\.value)?$|client_ip$/, why: 'only addresses are kept' },
  {
    places:
      /\bsentry\.(?:segment|transaction|dist|environment|release|sdk|trace_lifecycle|exclusive_time|timestamp|trace)\b/,
    why: 'a column: bounded, or said by the segment',
  },
  { places: /^(?:log|span)\.ingest_settings\./, why: 'asks for what the server adds' },
  { places: /attributes\..*\.type$|\.unit$/, why: 'types and units of attributes are not kept' },
  { places: /^client_report\./, why: 'what is no name becomes `other`' },
  { places: /^envelope\./, why: 'ids of the trace alone are read' },
  { places: /^sessions?\./, why: 'health is told by release and environment alone; both are short, without slashes' },
  { places: /\.errors\[\]\.value$/, why: 'what an SDK says was wrong has a type and a name' },
  { places: /(?:tags\[\]\.place|\.logger|infer_ip)$/, why: 'on one line, and short' },
  {
    places: /(?:event|transaction)\.request\.url$|^security\.url$/,
    why: 'gives way to what is said in more detail beside it',
  },
  {
    places:
      /^transaction\.(?:breadcrumbs|checksum|csp|debug_meta|expectct|expectstaple|fingerprint|hpkp|logentry|modules|template|transaction_info|sdk|user|request|contexts\.(?:response|trace\.description))\b/,
    why: 'becomes spans: what errors alone show is left out',
  },
  {
    places: /^transaction\..*\b(?:http\.(?:url|query|user_agent)|net\.host\.name|service\.name)$/,
    why: 'the name of today wins over the older one',
  },
  { places: /\.(?:entityRefs\[\]\..*|schemaUrl|traceState)$/, why: 'not read' },
  { places: /^otlp faulty traces\..*\.(?:resource|scope)\./, why: 'a span that cannot be stored is kept by itself' },
];

const ids = 'an id, or a hash';
const words = 'a word of ours';

/** Columns of text that no sender’s text reaches, and why. */
export const closedColumns: Readonly<Record<string, string>> = {
  'errors.digest': 'digits',
  'errors.event_id': ids,
  'errors.group_hash': ids,
  'errors.group_hashes': ids,
  'errors.grouping_version': words,
  'errors.issue_type': words,
  'errors.level': words,
  'errors.missing_scripts': 'only of JavaScript',
  'errors.platform': words,
  'errors.sampled_users': 'of a storm alone, by the way of the column `user` (`items/event/met.test.ts`)',
  'errors.span_id': ids,
  'errors.trace_id': ids,
  'errors.user_ip': 'an address',
  'items.blob_key': ids,
  'items.category': words,
  'items.detail': 'says what is wrong without quoting it',
  'items.event_id': ids,
  'items.outcome': words,
  'items.reason': words,
  'logs.level': words,
  'logs.numbers': 'numbers',
  'logs.span_id': ids,
  'logs.trace_id': ids,
  'outcomes.outcome': words,
  'revisions.culprit': 'made of stored events',
  'revisions.event_id': ids,
  'revisions.payload': 'made of stored events',
  'revisions.title': 'made of stored events',
  'spans.description_hash': ids,
  'spans.kind': words,
  'spans.numbers': 'numbers',
  'spans.parent_span_id': ids,
  'spans.platform': words,
  'spans.segment_id': ids,
  'spans.span_id': ids,
  'spans.status': words,
  'spans.trace_id': ids,
  'spans.transaction_source': words,
};

/** What makes the vitals of one page what they are: elements, interactions, resources, and page loads to look at. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { type Examined, examinedSpans, newestHours } from './examined.ts';
import { condition } from './measures.ts';
import { setRight } from './sketch.ts';
import { vitalHours, type VitalName, type VitalsScope } from './vitals.ts';

export interface VitalElement {
  readonly vital: 'lcp' | 'inp' | 'cls';
  /** CSS path. */
  readonly element: string;
  /** Of `lcp` the address of an image, of `inp` the kind of interaction; '' for none. */
  readonly detail: string;
  readonly count: number;
  /** ms; `cls` has no unit. */
  readonly p75: number;
  readonly highest: number;
  /** Median of its pixels, of `lcp`; 0 where it is not known. */
  readonly size: number;
}

export interface EarlyResource {
  readonly op: string;
  readonly description: string;
  /** Page loads that had it before their largest paint. */
  readonly count: number;
  readonly p75Us: number;
  /** Median of the bytes that were sent; 0 where it is not known. */
  readonly bytes: number;
  readonly blocking: boolean;
}

export interface VitalSample {
  readonly vital: VitalName;
  readonly value: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
  readonly browser: string;
  readonly release: string;
}

export interface VitalCauses {
  readonly examined: Examined;
  /** Page loads that resources were looked for in. */
  readonly pageLoads: number;
  /** By vital, those with the most of it first. */
  readonly elements: readonly VitalElement[];
  /** Those that took the most time together first. */
  readonly resources: readonly EarlyResource[];
  /** By vital, the worst first. */
  readonly samples: readonly VitalSample[];
}

/** Of more page loads than this the newest hours are taken. */
const examinedLoads = 5_000;
const elementsEach = 6;
const maxResources = 12;
const samplesEach = 5;

const attribute = (name: string): string => `attributes['browser.web_vital.${name}']`;

/** Spans of old SDKs are named by the element. */
const named = (element: string): string => `if(${element} != '', ${element}, if(position(name, ' > ') > 0, name, ''))`;

const elementParts = `arrayConcat(
  if(mapContains(numbers, 'lcp'), [('lcp', ${named(attribute('lcp.element'))}, cutQueryStringAndFragment(${attribute('lcp.url')}), numbers['lcp'])], []),
  if(mapContains(numbers, 'inp'), [('inp', ${named(attribute('inp.target'))},
    if(${attribute('inp.interaction_type')} != '', ${attribute('inp.interaction_type')}, if(startsWith(op, 'ui.interaction.'), substring(op, 16), '')), numbers['inp'])], []),
  if(numbers['cls'] > 0, arrayMap(source -> ('cls', source, '', numbers['cls']), arrayDistinct(
    mapValues(mapFilter((key, value) -> startsWith(key, 'browser.web_vital.cls.source.'), attributes)))), []))`;

/** Of one page of one project. */
export async function vitalCauses(
  events: Events,
  request: VitalsScope & { readonly transaction: string },
): Promise<VitalCauses> {
  const examined = newestHours(await vitalHours(events, request), request.range, examinedLoads);
  const scope = { ...request, releases: [] };
  const spans = examinedSpans(scope, examined);
  const measured = where(...spans, condition("(is_segment = 1 OR startsWith(op, 'ui.'))"));
  const [elements, samples, resources] = await Promise.all([
    events.query<VitalElement>(
      `SELECT part.1 AS vital, part.2 AS element, part.3 AS detail, count() AS count, ${setRight('quantileDD(0.01, 0.75)(part.4)')} AS p75,
         max(part.4) AS highest, ifNotFinite(quantileIf(0.5)(pixels, vital = 'lcp' AND pixels > 0), 0) AS size
       FROM (
         SELECT arrayJoin(${elementParts}) AS part, numbers['browser.web_vital.lcp.size'] AS pixels FROM spans WHERE ${measured.sql}
       )
       WHERE element != '' GROUP BY vital, element, detail ORDER BY vital, sum(part.4) DESC, element LIMIT ${elementsEach} BY vital`,
      measured.params,
    ),
    events.query<VitalSample>(
      `SELECT pair.1 AS vital, pair.2 AS value, trace_id AS traceId, span_id AS spanId, toUnixTimestamp64Micro(started_at) AS startUs,
         attributes['browser.name'] AS browser, release
       FROM spans
       ARRAY JOIN arrayFilter(pair -> pair.1 IN ('lcp', 'inp', 'cls', 'fcp', 'ttfb'), arrayZip(mapKeys(numbers), mapValues(numbers))) AS pair
       WHERE ${measured.sql} ORDER BY vital, value DESC, started_at DESC LIMIT ${samplesEach} BY vital`,
      measured.params,
    ),
    earlyResources(events, scope, examined),
  ]);
  return { examined, elements, samples, ...resources };
}

/** What was asked for before the largest paint. SDKs send the paint with the page or, later, in a span of its own. */
async function earlyResources(
  events: Events,
  scope: Parameters<typeof examinedSpans>[0],
  examined: Examined,
): Promise<Pick<VitalCauses, 'resources' | 'pageLoads'>> {
  const spans = examinedSpans(scope, examined);
  const pages = where(...spans, condition("(is_segment = 1 OR op = 'ui.webvital.lcp')"));
  const fetched = where(...spans, condition("startsWith(op, 'resource.')"));
  const rows = await events.query<EarlyResource & { loads: number }>(
    `WITH pages AS (
       SELECT trace_id AS trace, if(is_segment = 1, span_id, segment_id) AS page, toUnixTimestamp64Micro(minIf(started_at, is_segment = 1)) AS begun,
         countIf(is_segment = 1) AS segments, max(numbers['lcp']) AS lcp
       FROM spans WHERE ${pages.sql} GROUP BY trace, page HAVING lcp > 0 AND segments > 0
     )
     SELECT op, description, uniqExact(trace_id, segment_id) AS count, quantileDD(0.01, 0.75)(duration_us) AS p75Us,
       ifNotFinite(quantileIf(0.5)(sent, sent > 0), 0) AS bytes,
       max(attributes['resource.render_blocking_status'] = 'blocking') AS blocking, (SELECT count() FROM pages) AS loads
     FROM (
       SELECT trace_id, segment_id, op, description, duration_us, attributes, toUnixTimestamp64Micro(started_at) AS at,
         if(numbers['http.response.size'] > 0, numbers['http.response.size'], numbers['http.response.body.size']) AS sent
       FROM spans WHERE ${fetched.sql}
     ) AS fetched
     INNER JOIN pages ON fetched.trace_id = pages.trace AND fetched.segment_id = pages.page
     WHERE at < begun + lcp * 1000
     GROUP BY op, description ORDER BY sum(duration_us) DESC, description LIMIT ${maxResources}`,
    fetched.params,
  );
  return {
    pageLoads: rows[0]?.loads ?? 0,
    resources: rows.map(({ op, description, count, p75Us, bytes, blocking }) => ({
      op,
      description,
      count,
      p75Us,
      bytes,
      blocking: Boolean(blocking),
    })),
  };
}

/** A selection of rows beside the rest of them: which attributes have other values. */
import { type Field, findKey } from '@culprit/search';
import { where } from '../../base/sql.ts';
import type { ExactRange } from '../../base/time-range.ts';
import { compileFilter, createBinder } from '../search/index.ts';
import { conditionsOf } from './conditions.ts';
import { type ComparedAttribute, type CountedAttribute, rankAttributes } from './compare-rank.ts';
import { refuseExpensiveQuestion } from './expensive.ts';
import { issueCondition, type IssueProject, type IssueTerms, resolveIssueTerms } from './issue-terms.ts';
import { languageOf, type Source, sourceOf } from './sources.ts';
import { queryOptions, sqlOf } from './sql.ts';
import type { ExploreDataSet, ExploreScope, ExploreStores, ReadQuery } from './types.ts';

export interface CompareQuestion extends ExploreScope {
  readonly query: ReadQuery;
  readonly selection: {
    /** About rows alone. */
    readonly query: ReadQuery;
    readonly range: ExactRange | undefined;
    /** A number, in its unit. */
    readonly values: { readonly field: Field; readonly from: number | null; readonly until: number | null } | undefined;
  };
  /** Attributes. */
  readonly limit: number;
}

export interface Comparison {
  readonly selection: number;
  readonly rest: number;
  readonly sampled: boolean;
  readonly attributes: readonly ComparedAttribute[];
}

/** Of each side about so many are looked at. */
const lookedAt = 10_000;
/** Rows whose blocks are read, as long as so many of a side are among them. */
const readRows = 100_000;
const fewest = 2000;
/** Rows of a granule, the least that is read. */
const blockRows = 2048;
const valuesOfEach = 20;
const longestValue = 200;

/** Attributes that are columns, by the key that a search names them with. */
const columns: Readonly<Record<'errors' | 'spans', Readonly<Record<string, string>>>> = {
  errors: {
    level: 'level',
    platform: 'platform',
    environment: 'environment',
    release: 'release',
    dist: 'dist',
    transaction: 'transaction',
    title: 'title',
    'error.type': 'error_type',
    'error.value': 'error_value',
    'error.mechanism': 'mechanism',
    'error.handled': `multiIf(isNull(handled), '', handled = 1, 'true', 'false')`,
    'user.id': 'user_id',
    'user.email': 'user_email',
    'sdk.name': 'sdk_name',
    'sdk.version': 'sdk_version',
    'project.id': 'toString(project_id)',
  },
  spans: {
    environment: 'environment',
    release: 'release',
    dist: 'dist',
    transaction: 'transaction',
    platform: 'platform',
    service: 'service',
    'span.op': 'op',
    'span.status': 'status',
    'span.kind': 'kind',
    'span.description': 'description',
    user: 'user',
    'sdk.name': 'sdk_name',
    'sdk.version': 'sdk_version',
    'project.id': 'toString(project_id)',
  },
};

/** Numbers of spans that are names rather than amounts. */
const namingNumbers = ['http.response.status_code', 'server.port', 'rpc.grpc.status_code'];

export async function compareSelection(
  stores: ExploreStores,
  question: CompareQuestion,
  projects: readonly IssueProject[],
  signal?: AbortSignal,
): Promise<Comparison> {
  const { events, state } = stores;
  if (!question.projects.length) return { selection: 0, rest: 0, sampled: false, attributes: [] };
  const issueTerms = new Map([
    ...(await resolveIssueTerms(state, projects, question.query)),
    ...(await resolveIssueTerms(state, projects, question.selection.query)),
  ]);
  await refuseExpensiveQuestion(stores, question, issueTerms, signal);
  const source = sourceOf(question.dataSet, undefined);
  const scope = where(conditionsOf(question, source, question.query.rows, issueTerms));
  const selected = selectedBy(question, source, issueTerms);
  const params = { ...scope.params, ...selected.params };
  const [totals] = await events.query<{ selection: number; n: number }>(
    `SELECT countIf(${selected.sql}) AS selection, count() AS n FROM ${source.table} WHERE ${scope.sql}`,
    params,
    queryOptions(signal),
  );
  const selection = totals?.selection ?? 0;
  const rest = (totals?.n ?? 0) - selection;
  if (!selection || !rest) return { selection, rest, sampled: false, attributes: [] };
  const [ofSelection, ofRest] = [partOf(selection, selection + rest), partOf(rest, selection + rest)];
  const pairs = `arrayJoin(arrayConcat([('', '')], ${pairsOf(question.dataSet)})) AS pair`;
  const sample = (chosen: string, blockStep: number, conditions: readonly string[]): string =>
    `SELECT ${chosen} AS chosen, ${pairs} FROM ${source.table}
     PREWHERE ${[...blocksOf(blockStep), scope.sql, ...conditions].join(' AND ')}`;
  const isChosen = `(${selected.sql})`;
  const one = `cityHash64(${source.timeColumn})`;
  // Where both are taken from the same blocks, those are read once.
  const sampled =
    ofSelection.blockStep === ofRest.blockStep
      ? sample(isChosen, ofRest.blockStep, [`${one} % if(${isChosen}, ${ofSelection.rowStep}, ${ofRest.rowStep}) = 0`])
      : [
          sample('1', ofSelection.blockStep, [isChosen, `${one} % ${ofSelection.rowStep} = 0`]),
          sample('0', ofRest.blockStep, [`NOT ${isChosen}`, `${one} % ${ofRest.rowStep} = 0`]),
        ].join(' UNION ALL ');
  const rows = await events.query<AttributeRow>(
    `SELECT name, sum(s) AS selection, sum(r) AS rest,
       arraySlice(arraySort(one -> -(one.2 / {selectionSize:Float64} + one.3 / {restSize:Float64}), groupArray((value, s, r))), 1, ${valuesOfEach}) AS top
     FROM (
       SELECT pair.1 AS name, pair.2 AS value, countIf(chosen) AS s, count() - s AS r
       FROM (${sampled})
       WHERE pair.2 != '' OR pair.1 = ''
       GROUP BY name, value
     )
     GROUP BY name ORDER BY name`,
    { ...params, selectionSize: Math.min(selection, lookedAt), restSize: Math.min(rest, lookedAt) },
    queryOptions(signal),
  );
  const looked = rows.find(({ name }) => name === '');
  const attributes = rows.filter(({ name }) => name !== '').map((row) => toAttribute(row, question.dataSet, projects));
  return {
    selection,
    rest,
    sampled: [ofSelection, ofRest].some(({ blockStep, rowStep }) => blockStep * rowStep > 1),
    attributes: rankAttributes(
      attributes,
      { selection: looked?.selection ?? 0, rest: looked?.rest ?? 0 },
      question.limit,
    ),
  };
}

interface AttributeRow {
  /** `column:level`, `map:browser.name`; '' for all rows. */
  readonly name: string;
  readonly selection: number;
  readonly rest: number;
  readonly top: readonly (readonly [value: string, selection: number, rest: number])[];
}

/** Which of many rows are looked at: one block in so many, and of those one row in so many. */
interface Part {
  readonly blockStep: number;
  readonly rowStep: number;
}

/**
 * Attributes are read by whole blocks, so only a part of those is looked at. Rows beside each other are of one issue or of
 * one trace; where neither side is rare both are taken from the same blocks, so that this makes no difference.
 */
function partOf(side: number, all: number): Part {
  const blockStep = Math.max(1, Math.floor(Math.min(all / readRows, side / fewest)));
  return { blockStep, rowStep: Math.max(1, Math.ceil(side / blockStep / lookedAt)) };
}

const blocksOf = (step: number): string[] =>
  step > 1 ? [`cityHash64(_part, intDiv(_part_offset, ${blockRows})) % ${step} = 0`] : [];

/** Which rows are selected, as one condition. */
function selectedBy(
  question: CompareQuestion,
  source: Source,
  issueTerms: IssueTerms,
): { sql: string; params: Record<string, unknown> } {
  const { selection, dataSet } = question;
  const { params, bind } = createBinder('chosen');
  const conditions: string[] = [];
  if (selection.range) {
    const { startMs, endMs, open } = selection.range;
    const moment = (ms: number): string => `fromUnixTimestamp64Milli(${bind('Int64', Math.round(ms))}, 'UTC')`;
    conditions.push(`${source.timeColumn} >= ${moment(startMs)}`);
    if (!open) conditions.push(`${source.timeColumn} < ${moment(endMs)}`);
  }
  if (selection.values) {
    const { field, from, until } = selection.values;
    const sql = sqlOf(field, question, bind);
    if (from !== null) conditions.push(`ifNull(${sql} >= ${bind('Float64', from)}, 0)`);
    if (until !== null) conditions.push(`ifNull(${sql} < ${bind('Float64', until)}, 0)`);
  }
  const filter = compileFilter(selection.query.rows, languageOf(dataSet), {
    nowMs: question.nowMs,
    prefix: 'selected',
    projects: question.projects,
    latestReleases: question.latestReleases,
    issueTerm: issueCondition(issueTerms),
  });
  return { ...where({ conditions: [...conditions, ...filter.conditions], params: { ...params, ...filter.params } }) };
}

/** Pairs of name and value of a row, an array in SQL. */
function pairsOf(dataSet: ExploreDataSet): string {
  const isErrors = dataSet === 'errors';
  const named = Object.entries(columns[isErrors ? 'errors' : 'spans']).map(
    ([name, sql]) => `('column:${name}', toString(${cut(sql)}))`,
  );
  const map = isErrors ? 'tags' : 'attributes';
  const pairs = `arrayMap((name, value) -> (concat('map:', toString(name)), ${cut('value')}), mapKeys(${map}), mapValues(${map}))`;
  const numbers = namingNumbers.map(
    (name) => `('map:${name}', if(mapContains(numbers, '${name}'), toString(numbers['${name}']), ''))`,
  );
  return `arrayConcat(${pairs}, [${[...named, ...(isErrors ? [] : numbers)].join(', ')}])`;
}

const cut = (sql: string): string => `substringUTF8(${sql}, 1, ${longestValue})`;

function toAttribute(
  { name, selection, rest, top }: AttributeRow,
  dataSet: ExploreDataSet,
  projects: readonly IssueProject[],
): CountedAttribute {
  const bare = name.slice(name.indexOf(':') + 1);
  const isProject = name === 'column:project.id';
  return {
    key: isProject ? 'project' : name.startsWith('column:') ? bare : tagName(bare, dataSet),
    selection,
    rest,
    values: top.map(([value, selected, others]) => ({
      value: isProject ? (projects.find(({ id }) => String(id) === value)?.slug ?? value) : value,
      selection: selected,
      rest: others,
    })),
  };
}

/** As a search names it: a tag that is called like a key is `tags[…]`. */
function tagName(name: string, dataSet: ExploreDataSet): string {
  const { place } = findKey(name, languageOf(dataSet));
  return place.kind === 'tag' && place.tag === name ? name : `tags[${name}]`;
}

/** Questions as they are sent, read and held against their limits. Throws `QuestionError` with all that is wrong. */
import { because, type Field, parseField, parseSearch } from '@culprit/search';
import { CodedError } from '../../base/errors.ts';
import type { ExactRange } from '../../base/time-range.ts';
import { splitAggregates } from '../search/index.ts';
import { explore as problemTexts } from '../../base/texts/requests.ts';
import type { CompareQuestion } from './compare.ts';
import { type Parameter, QuestionError, type QuestionProblem, wholeProblem } from './question-error.ts';
import { languageOf } from './sources.ts';
import type { Column, ExploreDataSet, ExploreScope, ReadQuery, SortBy, TableQuestion } from './types.ts';

const maxFields = 20;
const maxGroupedBy = 10;
const maxAxes = 10;
const maxSorts = 5;

export interface TableTexts {
  readonly query: string;
  readonly field: readonly string[];
  readonly sort: readonly string[];
}

/** Rows where no aggregate is asked for or asked about, else groups. */
export function readTable(scope: ExploreScope, texts: TableTexts): TableQuestion {
  const problems: QuestionProblem[] = [];
  const query = collect(problems, () => readQuery(scope.dataSet, texts.query)) ?? everything;
  const asked = texts.field.length ? texts.field : defaultFields(scope.dataSet);
  limit('field', asked, maxFields);
  const columns = collect(problems, () => readColumns(scope.dataSet, asked)) ?? [];
  const isGrouped = columns.some(({ field }) => field.kind === 'function') || query.groups !== undefined;
  const keys = columns.filter(({ field }) => field.kind === 'key');
  if (isGrouped && keys.length > maxGroupedBy)
    throw new CodedError('INPUT_INVALID', [problemTexts.tooManyGroups(maxGroupedBy, keys.length)]);
  const sort =
    collect(problems, () => readSort(scope.dataSet, texts.sort, columns, isGrouped)) ??
    ([] satisfies readonly SortBy[]);
  if (problems.length) throw new QuestionError(problems);
  return { ...scope, query, columns, isGrouped, sort };
}

export interface SeriesTexts {
  readonly query: string;
  readonly yAxis: readonly string[];
  readonly groupBy: readonly string[];
  readonly sort: readonly string[];
  readonly topEvents: number;
}

export interface SeriesQuestion extends ExploreScope {
  readonly query: ReadQuery;
  /** Aggregates. */
  readonly axes: readonly Column[];
  /** Empty: one series an axis. */
  readonly groupBy: readonly Column[];
  readonly sort: readonly SortBy[];
  /** Groups that have a series each. */
  readonly top: number;
}

export function readSeries(scope: ExploreScope, texts: SeriesTexts): SeriesQuestion {
  const problems: QuestionProblem[] = [];
  const query = collect(problems, () => readQuery(scope.dataSet, texts.query)) ?? everything;
  const asked = texts.yAxis.length ? texts.yAxis : ['count()'];
  limit('yAxis', asked, maxAxes);
  const axes = collect(problems, () => readColumns(scope.dataSet, asked, 'yAxis')) ?? [];
  for (const { text, field } of axes) {
    if (field.kind === 'key') {
      problems.push(wholeProblem('yAxis', text, because('keyNotDrawn')));
    }
  }
  const grouped = texts.topEvents > 0 ? texts.groupBy : [];
  const read = collect(problems, () => readColumns(scope.dataSet, grouped, 'groupBy')) ?? [];
  const groupBy = read.filter(({ field }) => field.kind === 'key');
  limit('groupBy', groupBy, maxGroupedBy);
  // Without groups there is nothing to sort, whatever a client sends.
  const sorts = groupBy.length ? texts.sort : [];
  const sort = collect(problems, () => readSort(scope.dataSet, sorts, [...groupBy, ...axes], true)) ?? [];
  if (problems.length) throw new QuestionError(problems);
  return { ...scope, query, axes, groupBy, sort, top: texts.topEvents };
}

export interface SelectionTexts {
  /** '' for none. */
  readonly query: string;
  readonly range: ExactRange | undefined;
  readonly values: { readonly field: string; readonly from: number | null; readonly until: number | null } | undefined;
  /** Attributes. */
  readonly limit: number;
}

/** `query` says which rows are compared, the selection which of them with the rest. */
export function readComparison(scope: ExploreScope, query: string, selection: SelectionTexts): CompareQuestion {
  const { dataSet } = scope;
  const problems: QuestionProblem[] = [];
  const rows = collect(problems, () => readRowQuery(dataSet, query, 'query')) ?? everything;
  const selected = collect(problems, () => readRowQuery(dataSet, selection.query, 'selection.query')) ?? everything;
  const { values } = selection;
  const field = values && readField(dataSet, values.field, 'selection.range.field', problems);
  if (field && (field.kind === 'function' || !isNumeric(field.type))) {
    problems.push(wholeProblem('selection.range.field', field.name, because('rangeOfNumbers')));
  }
  if (problems.length) throw new QuestionError(problems);
  return {
    ...scope,
    query: rows,
    selection: {
      query: selected,
      range: selection.range,
      values: values && field && { field, from: values.from, until: values.until },
    },
    limit: selection.limit,
  };
}

const numericTypes = new Set(['number', 'integer', 'rate', 'duration', 'size', 'percentage']);
const isNumeric = (type: string): boolean => numericTypes.has(type);

const everything: ReadQuery = { rows: undefined, groups: undefined };

function readQuery(dataSet: ExploreDataSet, text: string, parameter: Parameter = 'query'): ReadQuery {
  const { root, problems } = parseSearch(text, languageOf(dataSet));
  if (problems.length) throw new QuestionError(problems.map((problem) => ({ ...problem, parameter, text })));
  const { rows, aggregates } = splitAggregates(root);
  return { rows, groups: aggregates };
}

/** Of rows alone: aggregates are a problem. */
function readRowQuery(dataSet: ExploreDataSet, text: string, parameter: Parameter): ReadQuery {
  const query = readQuery(dataSet, text, parameter);
  if (query.groups) {
    throw new QuestionError([wholeProblem(parameter, text, because('rowsOnly'))]);
  }
  return query;
}

/** Repeated ones once. */
function readColumns(dataSet: ExploreDataSet, texts: readonly string[], parameter: Parameter = 'field'): Column[] {
  const problems: QuestionProblem[] = [];
  const columns = [...new Set(texts)].flatMap((text): Column[] => {
    const field = readField(dataSet, text, parameter, problems);
    return field ? [{ text, field }] : [];
  });
  if (problems.length) throw new QuestionError(problems);
  return columns;
}

/** Columns of spans that Sentry's clients ask for by other names than people do. */
const clientNames: ReadonlyMap<string, string> = new Map([['description', 'span.description']]);

function readField(
  dataSet: ExploreDataSet,
  text: string,
  parameter: Parameter,
  problems: QuestionProblem[],
): Field | undefined {
  const own = dataSet === 'errors' ? text : (clientNames.get(text) ?? text);
  const field = parseField(own, languageOf(dataSet));
  if ('code' in field) {
    problems.push({ ...field, parameter, text });
    return undefined;
  }
  const keys = field.kind === 'key' ? [field.key] : field.args.flatMap((one) => (one.kind === 'key' ? [one.key] : []));
  for (const { name, place } of keys) {
    if (place.kind !== 'issue' || ((place.field === 'id' || place.field === 'short_id') && field.kind === 'key'))
      continue;
    problems.push(wholeProblem(parameter, text, because('issueFieldOnly', { name })));
    return undefined;
  }
  return field;
}

/** `-count()`, and `-count` or `-p95_span_duration` as Sentry's older clients write it. */
function readSort(
  dataSet: ExploreDataSet,
  texts: readonly string[],
  columns: readonly Column[],
  isGrouped: boolean,
): SortBy[] {
  const asked = texts.filter((text) => text !== '');
  limit('sort', asked, maxSorts);
  const problems: QuestionProblem[] = [];
  const sorts = asked.flatMap((text): SortBy[] => {
    const descending = text.startsWith('-');
    const name = descending ? text.slice(1) : text;
    const column = columns.find((one) => one.text === name || one.field.name === name || aliasOf(one.text) === name);
    const field = column?.field ?? readField(dataSet, name, 'sort', problems);
    if (!field) return [];
    if (isGrouped && !column && field.kind === 'key') {
      problems.push(wholeProblem('sort', text, because('groupSort', { name })));
    } else if (!isGrouped && field.kind === 'function') {
      problems.push(wholeProblem('sort', text, because('rowSort', { name })));
    } else if (field.kind === 'key' && field.key.place.kind === 'issue') {
      problems.push(wholeProblem('sort', text, because('eventSort', { name })));
    }
    return [{ field, descending }];
  });
  if (problems.length) throw new QuestionError(problems);
  return sorts;
}

/** `count()` is `count`, `p95(span.duration)` is `p95_span_duration`. */
const aliasOf = (text: string): string => text.replace(/\W+/g, '_').replace(/^_|_$/g, '');

function limit(parameter: string, values: readonly unknown[], most: number): void {
  if (values.length > most) {
    throw new CodedError('INPUT_INVALID', [problemTexts.tooMany(parameter, most, values.length)]);
  }
}

/** Problems of all parts are told at once. */
function collect<T>(problems: QuestionProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

const defaultFields = (dataSet: ExploreDataSet): readonly string[] =>
  dataSet === 'errors'
    ? ['id', 'title', 'project', 'level', 'release', 'environment', 'timestamp']
    : ['id', 'span.op', 'span.description', 'span.duration', 'transaction', 'project', 'timestamp'];

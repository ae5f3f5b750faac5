/** Functions of Explore as ClickHouse aggregates. */
import type { DataSet, FunctionArgument, FunctionField, SearchTerm } from '@culprit/search';
import type { Bind } from './binding.ts';
import { type Expression, expressionOf } from './expressions.ts';
import { eventsCount, eventsCountIf } from './stood-for.ts';
import { compileValue, momentCondition, numberCondition, present, type TermOptions } from './terms.ts';

export interface AggregateContext extends TermOptions {
  readonly dataSet: DataSet;
  readonly bind: Bind;
  /** Seconds that the rows cover, which rates are per. */
  readonly rangeSeconds?: number | undefined;
}

/** The aggregate and its ClickHouse type. What has no row with a value is NULL, or NaN for a mean. */
export function aggregateSql(field: FunctionField, context: AggregateContext): { sql: string; type: string } {
  const { name } = field.key;
  const of = (argument: FunctionArgument | undefined): Expression => {
    if (argument?.kind !== 'key') throw new TypeError(`${field.name} needs a key`);
    return expressionOf(argument.key, context.dataSet, context.bind);
  };
  const [first, second] = field.args;
  const percentile = /^p(\d{2,3})$/.exec(name)?.[1];
  if (percentile !== undefined) return number(quantile(of(first).sql, Number(percentile) / 100, context.bind));
  switch (name) {
    case 'count':
      return whole(rowsCount(context.dataSet, first && present(of(first))));
    case 'count_unique':
      return whole(unique(of(first)));
    case 'count_if':
      return whole(rowsCount(context.dataSet, conditionOf(field.args, context)));
    case 'sum':
    case 'avg':
      return number(`${name}(${of(first).sql})`);
    case 'min':
    case 'max': {
      const { kind, sql, type } = of(first);
      return kind === 'time' ? { sql: `${name}(${sql})`, type } : number(`${name}(${sql})`);
    }
    case 'percentile':
      return number(quantile(of(first).sql, second?.kind === 'number' ? second.number : 0.5, context.bind));
    case 'percentage':
      return number(`sum(${of(first).sql}) / nullIf(sum(${of(second).sql}), 0)`);
    case 'any':
      return any(of(first));
    case 'eps':
      return perSecond(rowsCount(context.dataSet), 1, context);
    case 'epm':
    case 'spm':
      return perSecond(rowsCount(context.dataSet), 60, context);
    case 'tps':
      return perSecond('countIf(is_segment = 1)', 1, context);
    case 'tpm':
      return perSecond('countIf(is_segment = 1)', 60, context);
    case 'failure_rate':
      return number('avg(failed)');
    case 'failure_count':
      return whole('countIf(failed = 1)');
    case 'apdex':
      return apdex(first?.kind === 'number' ? first.number : 300, context.bind);
    case 'first_seen':
    case 'last_seen': {
      const column = context.dataSet === 'spans' ? 'started_at' : 'timestamp';
      const type = `DateTime64(${context.dataSet === 'spans' ? 6 : 3}, 'UTC')`;
      return { sql: `${name === 'first_seen' ? 'min' : 'max'}(${column})`, type };
    }
    default:
      throw new TypeError(`no aggregate is called ${name}`);
  }
}

/** Of what the rows stand for. */
export function rowsCount(dataSet: DataSet, condition?: string): string {
  if (dataSet === 'spans') return condition === undefined ? 'count()' : `countIf(${condition})`;
  return condition === undefined ? eventsCount : eventsCountIf(condition);
}

const number = (sql: string): { sql: string; type: string } => ({ sql, type: 'Nullable(Float64)' });
const whole = (sql: string): { sql: string; type: string } => ({ sql, type: 'UInt64' });

function quantile(sql: string, share: number, bind: Bind): string {
  if (share >= 1) return `max(${sql})`;
  return share <= 0 ? `min(${sql})` : `quantileTDigest(${bind('Float64', share)})(${sql})`;
}

function unique({ kind, sql }: Expression): string {
  if (kind === 'texts' || kind === 'numbers' || kind === 'flags') return `uniqArray(${sql})`;
  return kind === 'text' || kind === 'attribute' ? `uniqIf(${sql}, ${sql} != '')` : `uniq(${sql})`;
}

function any({ kind, sql, type }: Expression): { sql: string; type: string } {
  return { sql: kind === 'text' || kind === 'attribute' ? `anyIf(${sql}, ${sql} != '')` : `any(${sql})`, type };
}

function perSecond(
  count: string,
  seconds: number,
  { rangeSeconds, bind }: AggregateContext,
): { sql: string; type: string } {
  if (!rangeSeconds) throw new TypeError('a rate needs the time that the rows cover');
  return { sql: `${count} / ${bind('Float64', rangeSeconds / seconds)}`, type: 'Float64' };
}

function apdex(thresholdMs: number, bind: Bind): { sql: string; type: string } {
  const satisfied = bind('Float64', thresholdMs * 1_000);
  const tolerated = bind('Float64', thresholdMs * 4_000);
  return number(
    `(countIf(duration_us <= ${satisfied}) + countIf(duration_us > ${satisfied} AND duration_us <= ${tolerated}) / 2) / nullIf(count(), 0)`,
  );
}

export function conditionOf([key, comparison]: readonly FunctionArgument[], context: AggregateContext): string {
  if (key?.kind !== 'key' || comparison?.kind !== 'comparison') throw new TypeError('count_if needs a comparison');
  const condition = compileValue(key.key, comparison.value, context);
  return comparison.negated ? `NOT ${condition}` : condition;
}

/** A term about an aggregate as a condition for HAVING. Throws `TypeError` for terms about rows. */
export function aggregateCondition(term: SearchTerm, context: AggregateContext): string {
  if (term.kind !== 'filter' || term.key.scope !== 'aggregate') throw new TypeError('HAVING is about aggregates');
  const { value } = term;
  const { sql } = aggregateSql(term.key, context);
  const condition =
    value.type === 'date' || value.type === 'age'
      ? momentCondition(sql, value, context.nowMs, context.bind)
      : `(ifNull(${numberCondition(value, context.bind)(sql)}, 0))`;
  return term.negated ? `(NOT ${condition})` : condition;
}

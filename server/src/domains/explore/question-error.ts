/** What is wrong with a question: each problem with the parameter that it is in, and its place there. */
import { type Because, reasonText, type SearchProblem } from '@culprit/search';
import { CodedError } from '../../base/errors.ts';

export type Parameter = 'query' | 'field' | 'groupBy' | 'yAxis' | 'sort' | 'selection.query' | 'selection.range.field';

/** `start` and `end` count within that one value of the parameter, which is `text`. */
export interface QuestionProblem extends SearchProblem {
  readonly parameter: Parameter;
  readonly text: string;
}

export class QuestionError extends CodedError {
  readonly problems: readonly QuestionProblem[];

  constructor(problems: readonly QuestionProblem[]) {
    super('QUERY_INVALID', [problems.map(describe).join(' ')]);
    this.problems = problems;
  }
}

function describe(problem: QuestionProblem): string {
  const { parameter, text } = problem;
  const message = reasonText(problem);
  return parameter === 'query' ? message : `${parameter} ${JSON.stringify(text.slice(0, 100))}: ${message}`;
}

/** A problem with the whole of a value. */
export const wholeProblem = (parameter: Parameter, text: string, why: Because): QuestionProblem => ({
  parameter,
  text,
  code: 'invalid-key',
  ...why,
  at: text,
  start: 0,
  end: text.length,
});

/** What each kind of performance problem means, and how it is fixed. Pure. */
import * as m from '../../messages/problem.ts';

export interface ProblemFacts {
  readonly type: string;
  /** Spans whose time it is about. */
  readonly offenders: number;
  /** Of the request or page in which it happened; '' where it is not known. */
  readonly transaction: string;
}

type Kind = keyof typeof m.sentences & keyof typeof m.advice;
const isKind = (type: string): type is Kind => Object.hasOwn(m.sentences, type);

/** What is wrong, in one sentence. */
export function problemSentence({ type, offenders: count, transaction }: ProblemFacts): string {
  const sentence = (isKind(type) ? m.sentences[type] : m.unknownSentence)({ count });
  return transaction ? m.inTransaction({ transaction, sentence }) : sentence;
}

export const problemAdvice = (type: string): string => (isKind(type) ? m.advice[type] : m.unknownAdvice);

/** Whether a value of the evidence reads as a statement of SQL, so that it is coloured as one. */
export const isSql = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with|begin|commit|create|alter|drop|replace|merge)\b/i.test(text.slice(0, 200));

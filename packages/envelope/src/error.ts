import * as texts from './texts.ts';

/** Why a body is no envelope. Stable: callers choose the answer by it, the message is for people. */
export type EnvelopeErrorCode =
  | 'empty'
  | 'too_large'
  | 'too_many_items'
  | 'header_too_large'
  | 'header_too_deep'
  | 'header_invalid'
  | 'item_header_invalid'
  | 'item_type_missing'
  | 'item_length_invalid'
  | 'item_truncated'
  | 'item_unterminated';

/** The only thing that this package throws. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly code: EnvelopeErrorCode;
  /** Byte of the body where the trouble starts. */
  readonly offset: number;

  constructor(code: EnvelopeErrorCode, offset: number, sentence: string) {
    super(texts.atByte(sentence, offset));
    this.code = code;
    this.offset = offset;
  }
}

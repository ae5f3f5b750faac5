import { CodedError } from '../../base/errors.ts';
import { uploads } from '../../base/texts/artifacts.ts';

/** The parser of multipart says what is wrong with a body in plain errors; failures of the server have a kind or a code. */
export function readable(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'Error' || 'code' in error) return error;
  return new CodedError('INPUT_INVALID', [uploads.unreadable(error.message)], { cause: error });
}

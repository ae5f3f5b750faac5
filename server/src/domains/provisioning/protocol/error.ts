/** A refusal in the words of SCIM (RFC 7644, 3.12). */
import { scim as texts } from '../../../base/texts/provisioning.ts';

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly retryAfter: number | undefined;

  constructor(status: number, detail: string, scimType?: ScimType, retryAfter?: number) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.retryAfter = retryAfter;
  }
}

export const badValue = (name: string, wanted: string): ScimError =>
  new ScimError(400, texts.value(name, wanted), 'invalidValue');

export const notFound = (id: string): ScimError => new ScimError(404, texts.notFound(id.slice(0, 100)));

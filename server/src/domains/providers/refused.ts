/** Why somebody does not get in by a provider. The console has a sentence for each, which says what to do. */
export const refusals = [
  /** Disabled or deleted. */
  'provider_gone',
  /** Begun too long ago, in another browser, or answered before. */
  'flow_over',
  /** The person or the provider said no. */
  'denied',
  /** The answer of the provider does not hold. */
  'failed',
  /** The provider does not answer. */
  'unreachable',
  'address_missing',
  'address_unverified',
  'domain_foreign',
  'account_elsewhere',
  'not_member',
  /** Not in the organisation, group or domain at the provider that is asked for. */
  'group_missing',
  'limited',
] as const;

export type Refusal = (typeof refusals)[number];

interface RefusedOptions {
  readonly cause?: unknown;
  readonly audited?: string;
  readonly isProblem?: boolean;
}

export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: Refusal;
  /** In the audit log, which may know more than whoever signs in. */
  readonly audited: string;
  /** Whether it stays to be seen by who administers the provider. */
  readonly isProblem: boolean;

  /** `detail` is for who administers the provider. No secret is in it. */
  constructor(reason: Refusal, detail = '', options: RefusedOptions = {}) {
    super(detail, options);
    this.reason = reason;
    this.audited = options.audited ?? reason;
    this.isProblem = options.isProblem ?? (reason === 'failed' || reason === 'unreachable');
  }
}

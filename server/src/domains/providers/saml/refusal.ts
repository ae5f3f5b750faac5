/** Why a response of an identity provider is not believed: for the audit log, and for who set the provider up. */

export const samlReasons = [
  'too_large',
  'not_xml',
  'doctype',
  'comment',
  'structure',
  'unsigned',
  'algorithm',
  'signature',
  'encryption',
  'status',
  'issuer',
  'destination',
  'recipient',
  'audience',
  'expired',
  'not_yet_valid',
  'conditions',
  'subject',
  'unsolicited',
  'unknown_request',
  'other_provider',
  'replayed',
] as const;
export type SamlReason = (typeof samlReasons)[number];

export class SamlRefusal extends Error {
  readonly reason: SamlReason;
  /** For who set the provider up: what was expected and what came. Never shown to who signs in. */
  readonly detail: string;

  constructor(reason: SamlReason, detail = '', options?: ErrorOptions) {
    super(detail ? `${reason}: ${detail}` : reason, options);
    this.name = 'SamlRefusal';
    this.reason = reason;
    this.detail = detail.slice(0, 300);
  }
}

export const refuse = (reason: SamlReason, detail?: string): never => {
  throw new SamlRefusal(reason, detail);
};

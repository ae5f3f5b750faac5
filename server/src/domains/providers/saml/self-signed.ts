/**
 * A certificate for a key of ours, as metadata carry one (RFC 5280): who has our metadata knows the key by it and asks no
 * authority, so it says a name, its time and nothing else.
 */
import { type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

export interface SelfSigned {
  readonly name: string;
  /** RSA. */
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly days: number;
}

const lengthOf = (length: number): number[] => {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
};
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const object = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** GeneralizedTime holds beyond 2049, UTCTime is what must be used before. */
const time = (at: Date): Buffer => {
  const text = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
};

const sha256WithRsa = sequence(object('2a864886f70d01010b'), der(0x05));
const version3 = der(0xa0, der(0x02, Buffer.from([2])));

/** PEM. */
export function selfSigned({ name, privateKey, publicKey, notBefore, days }: SelfSigned): string {
  const serial = randomBytes(16);
  // Positive, and never shorter.
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  const named = sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(name.slice(0, 64))))));
  const notAfter = new Date(notBefore.getTime() + days * 86_400_000);
  const signed = sequence(
    version3,
    der(0x02, serial),
    sha256WithRsa,
    named,
    sequence(time(notBefore), time(notAfter)),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  return new X509Certificate(sequence(signed, sha256WithRsa, signature)).toString();
}

/** The key of ours that a provider knows: it signs requests, and opens what is encrypted for us. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { selfSigned } from './self-signed.ts';

const tenYears = 3_652;

export async function makeOwnKey(now: number): Promise<{ readonly privateKey: string; readonly certificate: string }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  // A provider whose clock is behind ours need not wait.
  const notBefore = new Date(now - 86_400_000);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    certificate: selfSigned({ name: 'Culprit', privateKey, publicKey, notBefore, days: tenYears }).trim(),
  };
}

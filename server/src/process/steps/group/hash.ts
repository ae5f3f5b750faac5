/** Hashes over a canonical list of (component, value); the order of keys in the event plays no part. */
import { hash } from 'node:crypto';

/** Events hold no NUL (decoding replaces it), so it parts values without any escape. */
export function entry(component: string, value: string): string {
  return `${component}\0${value}\0`;
}

/** 32 hex digits: half of SHA-256. */
export function shortHash(list: string): string {
  return hash('sha256', list, 'hex').slice(0, 32);
}

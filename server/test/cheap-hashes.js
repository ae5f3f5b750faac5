/**
 * Loaded before tests and programs under test (`node --import`) in each of their threads: a password's hash takes a
 * thirtieth of its time, which hundreds of sign-ins would else take from what is tested. The product knows nothing of it;
 * its own cost is tested in `domains/accounts/passwords`. While CULPRIT_TEST_HASHES is `real` it is what it is.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scryptSync } = crypto;

/** Of the same memory for each block, so that the bound of the product holds. */
const cheap = (options) => ({ ...options, N: Math.min(options?.N ?? 2 ** 14, 2 ** 11), p: 1 });

const isReal = () => process.env.CULPRIT_TEST_HASHES === 'real';

crypto.scryptSync = (password, salt, length, options) =>
  scryptSync(password, salt, length, isReal() ? options : cheap(options));
syncBuiltinESMExports();

/** What `npm test` leaves to `npm run endurance`, where all of a file runs. */
import { test } from 'vitest';
import { endurance } from '../src/base/testing.ts';

/** A test of a file whose other tests run each time. */
export const lastingTest = test.runIf(endurance);

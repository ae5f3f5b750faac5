/** How long tests last: `npm test` looks at a part of what `npm run endurance` looks at whole. */

/** Whether tests are to last: more rounds and larger numbers than each run can afford. */
export const endurance = process.env.CULPRIT_TEST_ENDURANCE === '1';

/** What each run can afford, or all of it where tests are to last. */
export const lasting = <T>(part: T, whole: T): T => (endurance ? whole : part);

/**
 * So long what a batch decided is kept, ms. Only a batch that is run again asks for it, and it is the first thing to run
 * after a start.
 */
export const keepDecidedMs = 6 * 3_600_000;

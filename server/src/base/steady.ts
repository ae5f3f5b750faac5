/** ms by a clock that all threads share and that nobody sets: a corrected system time changes no order and no age. */
export const steadyMs = (): number => Number(process.hrtime.bigint()) / 1e6;

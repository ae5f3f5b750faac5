/** How many files or commits a release shows once more are asked for. */
export const mostRows = 100;

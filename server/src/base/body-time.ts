/** How long bodies of uploads may take: of what `bodyTimeoutSeconds` says. They are large, and those who send them are known. */
export const uploadTimeFactor = 20;

/** Exit codes of the command. */
export const exitCodes = { fine: 0, failed: 1, usage: 2, violated: 3 } as const;

/** The command was used wrongly: the message says what to write instead. Exit code 2. */
export class UsageError extends Error {}

/** What was asked for was understood but failed, in the program, a pack or a file. Exit code 1. */
export class RunError extends Error {}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { setTimeout as delay } from "node:timers/promises";

/** Reads until what was read is wanted, and gives up in the end with what there is: the expectation that follows says what is wrong. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  wanted: (value: T) => boolean,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000; // only stops a hang
  for (;;) {
    const value = await read();
    if (wanted(value) || Date.now() > deadline) return value;
    await delay(200);
  }
}

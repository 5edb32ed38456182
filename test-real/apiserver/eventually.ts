import { setTimeout as delay } from "node:timers/promises";

/** Reads until what was read is wanted, and gives up in the end with what there is: the expectation that follows says what is wrong. */
export async function eventually<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000; // only stops a hang
  for (;;) {
    const value = await read();
    if (wanted(value) || Date.now() > deadline) return value;
    await delay(200);
  }
}

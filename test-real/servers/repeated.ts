import { setTimeout as delay } from "node:timers/promises";

/** Something that is done again and again, with a pause, until it is stopped. What it throws ends it, and comes out of `stop`. */
export class Repeated {
  private running = true;
  private readonly loop: Promise<void>;

  constructor(step: () => Promise<void>, pauseMilliseconds: number) {
    this.loop = this.run(step, pauseMilliseconds);
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.loop;
  }

  private async run(step: () => Promise<void>, pauseMilliseconds: number): Promise<void> {
    while (this.running) {
      await step();
      await delay(pauseMilliseconds);
    }
  }
}

/** A line that is rewritten in place while the program runs; nothing at all where the output isn't a terminal. */
export class Progress {
  private last = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  update(resources: number, what: string): void {
    if (!this.stream.isTTY || Date.now() - this.last < 80) return;
    this.last = Date.now();
    const text = `${resources} resources: ${what}`.slice(0, Math.max(20, this.stream.columns - 1));
    this.stream.write(`\r\u001b[2K${text}`);
  }

  done(): void {
    if (this.stream.isTTY) this.stream.write("\r\u001b[2K");
  }
}

import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";

/** The most that is read at once, and the longest line: a document of 5 000 partitions has 2 MB. */
const chunk = 1 << 20;
const longestLine = 16 << 20;

/**
 * A file that another process appends lines to. Reads what is new, and empties the file when all of it has been read and it has grown larger
 * than the bound, so that the volume never fills. The writer must append (O_APPEND): then its next line begins at 0.
 */
export class LinesFile {
  private inode: number | undefined;
  private offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(
    private readonly path: string,
    private readonly mostBytes: number,
  ) {}

  /** Whole lines since the last call; the beginning of a line waits for its end. Throws if the file can't be opened. */
  read(): string[] {
    const file = openSync(this.path, "r+");
    try {
      const { ino, size } = fstatSync(file);
      // Another file under the name, or the same one emptied by somebody else: what is left of the old line has no end any more.
      if (ino !== this.inode || size < this.offset) {
        this.offset = 0;
        this.rest = Buffer.alloc(0);
      }
      this.inode = ino;
      const lines = this.linesOf(file);
      // Between this look and the next call a line may be lost. Statistics come again in seconds; a full volume doesn't heal.
      if (this.offset > this.mostBytes && fstatSync(file).size === this.offset) {
        ftruncateSync(file, 0);
        this.offset = 0;
      }
      return lines;
    } finally {
      closeSync(file);
    }
  }

  private linesOf(file: number): string[] {
    const lines: string[] = [];
    const buffer = Buffer.alloc(chunk);
    for (;;) {
      const count = readSync(file, buffer, 0, chunk, this.offset);
      if (count === 0) return lines;
      this.offset += count;
      const text = Buffer.concat([this.rest, buffer.subarray(0, count)]);
      const end = text.lastIndexOf(0x0a);
      // A line without an end isn't one of ours.
      this.rest = text.length - end - 1 > longestLine ? Buffer.alloc(0) : text.subarray(end + 1);
      if (end >= 0) lines.push(...text.subarray(0, end).toString("utf8").split("\n"));
    }
  }
}

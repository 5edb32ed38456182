import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

/** The process of inline.ts. */
export class InlineHost {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static start(root: string, print: (text: string) => void): Promise<InlineHost> {
    const child = spawn(
      process.execPath,
      ["--stack-trace-limit=0", "--import", "tsx", join(root, "test-real/engine/program/inline.ts")],
      { cwd: root, stdio: ["pipe", "pipe", "pipe"] },
    );
    let told = "";
    const tell = (data: Buffer) => {
      told += data.toString();
      print(data.toString());
    };
    child.stderr.on("data", tell);
    return new Promise((done, failed) => {
      child.once("exit", (code) => failed(new Error(`the program's host ended with ${String(code)}: ${told}`)));
      child.stdout.once("data", (data: Buffer) => {
        child.stdout.on("data", tell);
        done(new InlineHost(child, Number(data.toString())));
      });
    });
  }

  /** It ends when nobody holds its standard input any more, also when the tests crash. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((done) => this.child.once("exit", done));
    this.child.stdin?.end();
    await ended;
  }
}

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { refuseStaleCode } from "../../policy/lib/stale-code";
import { policies } from "../../policy/policies";
import { buildPolicies } from "../../tools/policies/build";
import { Pack } from "../support/policy";

const root = resolve(__dirname, "../..");
const json = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8")) as T;

interface Manifest {
  name: string;
  main?: string;
  dependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, { version: string; integrity?: string; resolved?: string; dependencies?: object }>;
}

describe("the published form", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "moorings-pack-")), "policy");
  beforeAll(() => {
    buildPolicies(folder);
  });
  afterAll(() => rmSync(resolve(folder, ".."), { recursive: true }));

  test("is JavaScript and a whole pack", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files).toEqual(expect.arrayContaining(["PulumiPolicy.yaml", "index.js", "package-lock.json"]));
    expect(files.filter((file) => file.endsWith(".ts"))).toEqual([]);
    expect(json<Manifest>(folder, "package.json").main).toBe("index.js");
  });

  test("loads the way out of npm's resolver before the SDK", () => {
    const required = [...readFileSync(join(folder, "index.js"), "utf8").matchAll(/require\("(.*?)"\)/g)];
    expect(required[0]?.[1]).toBe("./lib/lazy-arborist.cjs");
  });

  test("runs, with the rules of today's sources, and nothing of an older build", async () => {
    const old = join(folder, "rules", "gone.js");
    symlinkSync(join(folder, "index.js"), old);
    buildPolicies(folder);
    expect(existsSync(old)).toBe(false);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const pack = await Pack.start(folder);
    const { policiesList } = (await pack.info()).toObject();
    const byHand = await pack.analyze({
      type: "aws:lb/targetGroupAttachment:TargetGroupAttachment",
      name: "pod",
      props: { targetGroupArn: "arn", targetId: "10.0.1.17" },
    });
    await pack.stop();
    expect(policiesList.map((p) => p.name)).toEqual(policies.map((p) => p.name));
    expect(byHand).toMatchObject([{ policy: "no-hand-registered-ip-targets", level: "mandatory" }]);
  });
});

describe("from source", () => {
  const loaded = ["/p/index.ts", "/p/policies.ts", "/p/node_modules/x/index.js", "/p/lib/lazy-arborist.cjs", "/q/a.js"];

  test("runs as long as no compiled file was taken in the place of a source", () => {
    expect(() => refuseStaleCode("/p/index.ts", loaded)).not.toThrow();
    expect(() => refuseStaleCode("/p/index.ts", [...loaded, "/p/rules/a.js"])).toThrow("delete /p/rules/a.js");
    expect(() => refuseStaleCode("/p/index.js", ["/p/index.js", "/p/rules/a.js"])).not.toThrow();
  });

  test("starts with the source also where an index.js lies beside it", () => {
    expect(json<Manifest>(root, "policy/package.json").main).toBe("index.ts");
  });
});

describe("the lock file of the pack", () => {
  const own = json<Lock>(root, "policy/package-lock.json").packages;
  const { "": self, ...packages } = own;

  test("is that of its package.json, which needs two packages and no more", () => {
    const { dependencies } = json<Manifest>(root, "policy/package.json");
    expect(self?.dependencies).toEqual(dependencies);
    expect(Object.keys(dependencies)).toEqual(["@pulumi/policy", "@pulumi/pulumi"]);
  });

  test("names no registry, and those releases that the gate runs with", () => {
    const gate = json<Lock>(root, "package-lock.json").packages;
    expect(Object.values(packages).filter((p) => p.resolved !== undefined)).toEqual([]);
    expect(Object.values(packages).filter((p) => p.integrity === undefined)).toEqual([]);
    for (const name of ["@pulumi/policy", "@pulumi/pulumi"]) {
      const key = `node_modules/${name}`;
      expect([packages[key]?.version, packages[key]?.integrity]).toEqual([gate[key]?.version, gate[key]?.integrity]);
    }
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { changeCode } from "../engine/edits/project-code";
import bindings from "../../test/fixtures/crds/elbv2.k8s.aws_targetgroupbindings.json";
import nodeClasses from "../../test/fixtures/crds/karpenter.k8s.aws_ec2nodeclasses.json";
import nodePools from "../../test/fixtures/crds/karpenter.sh_nodepools.json";

/** Small charts of the names that the components install: definitions where the real one has them, else its values in a ConfigMap. */
const charts: Readonly<Record<string, readonly object[]>> = {
  "karpenter-crd": [nodeClasses, nodePools],
  karpenter: [],
  "aws-load-balancer-controller": [],
};

const printValues = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Chart.Name }}-values
  namespace: {{ .Release.Namespace }}
data:
  values: {{ .Values | toJson | quote }}
`;

/** Where a project's charts and definitions are: on this machine, since there is no way to their registries. */
export function useLocalCharts(project: string): void {
  const folder = join(project, "charts");
  for (const [name, definitions] of Object.entries(charts)) {
    const templates = join(folder, name, "templates");
    mkdirSync(templates, { recursive: true });
    writeFileSync(join(folder, name, "Chart.yaml"), stringify({ apiVersion: "v2", name, version: "0.0.1" }));
    mkdirSync(join(folder, name, "files"));
    definitions.forEach((definition, i) => {
      // The definitions hold text that Helm would take for its own language.
      writeFileSync(join(templates, `${i}.yaml`), `{{ .Files.Get "files/${i}.json" }}`);
      writeFileSync(join(folder, name, "files", `${i}.json`), JSON.stringify(definition));
    });
    if (definitions.length === 0) writeFileSync(join(templates, "values.yaml"), printValues);
  }
  const manifest = join(folder, "crds.yaml");
  writeFileSync(manifest, stringify(bindings));
  writeFileSync(join(project, "stacks/local-charts.ts"), program(folder, manifest));
  const start = "const config = pulumi.runtime.allConfig();";
  const imports = 'import { platform } from "./platform";';
  changeCode(project, [
    { file: "stacks/index.ts", from: start, to: `useLocalCharts();\n${start}` },
    { file: "stacks/index.ts", from: imports, to: `import { useLocalCharts } from "./local-charts";\n${imports}` },
  ]);
}

/** Values that a release was installed with, as its chart printed them. */
export function printedValues(configMap: { readonly [key: string]: unknown }): Record<string, unknown> {
  return JSON.parse((configMap["data"] as Record<string, string>)["values"] ?? "{}") as Record<string, unknown>;
}

function program(folder: string, manifest: string): string {
  return `import { basename, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

export function useLocalCharts(): void {
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
    if (type === "kubernetes:helm.sh/v3:Release")
      return { props: { ...props, chart: join(${JSON.stringify(folder)}, basename(props.chart)), version: undefined, repositoryOpts: undefined }, opts };
    if (type === "kubernetes:yaml/v2:ConfigFile") return { props: { ...props, file: ${JSON.stringify(manifest)} }, opts };
    return undefined;
  });
}
`;
}

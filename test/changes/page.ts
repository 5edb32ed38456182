import { type Change, Nodes } from "./change";

const words: Readonly<Record<Nodes, string>> = {
  [Nodes.Stay]: "stay",
  [Nodes.Misfits]: "**misfits go**",
  [Nodes.Roll]: "**are replaced**",
  [Nodes.Move]: "**move**",
  [Nodes.Go]: "**all go**",
};

/** docs/changes-of-nodes.md: what each argument's change does, from the tables that the test compares with the components. */
export function page(tables: Readonly<Record<string, readonly Change[]>>): string {
  return `# What a change does to resources and nodes

Each argument of the components that make clusters and nodes, changed once. This page is written by \`UPDATE_DOCS=1 npx jest test/changes\` from tables in
\`test/changes\`; the test makes each change, and compares what comes of it with the tables. What a provider replaces stands in
\`test-real/engine/cloud/replacement*.ts\`, with its sources; what Karpenter counts as drift in \`test/changes/effects.ts\`. No AWS account took part.

| nodes | what happens to those that are there |
| --- | --- |
| ${words[Nodes.Stay]} | nothing |
| ${words[Nodes.Misfits]} | Karpenter replaces those that are no longer what the pool may have, the new ones first, at the pace of budgets and PodDisruptionBudgets |
| ${words[Nodes.Roll]} | all are replaced: Karpenter's as above, those of a managed group one after the other |
| ${words[Nodes.Move]} | a new managed group is made, and when it is there the old one is drained and deleted |
| ${words[Nodes.Go]} | the pool is deleted: all its nodes are drained at once, and budgets don't hold that back |

Of resources: \`update\` is in place, \`replace\` makes the new one first, \`recreate\` deletes the old one first. \`-\`: nothing changes that Pulumi would see.

- **No change of tags or names replaces a resource**, but for \`poolName\`, \`className\` and \`clusterName\`, which are what
  Kubernetes and AWS know the thing by, and \`volumeTags\`, which Kubernetes has as fixed parameters of a class.
- **A NodePool is replaced by another \`poolName\` only.** Its object has a fixed name. Whoever writes a NodePool without \`metadata.name\` gets a new one,
  and all nodes drained, whenever Pulumi makes up another name.
- **A newer version of Karpenter's API** is another type for Pulumi (\`karpenter.sh/v1\` is part of it), and so another pool. The release of Moorings that
  changes it will give it the old type as an alias.
- **Tags of the stack** (\`aws:defaultTags\`) reach neither Karpenter's nodes nor the instances of managed groups, so they replace none.
- **Another name of a component** in the program is another thing for Pulumi: give it an alias ([replacements](replacements.md)).
- **Architecture, instance types and subnets** of a managed group can't be changed in EKS. Pulumi makes up the group's name, so the new group is there before
  the old one drains: coredns and the controllers have two replicas each, and move node by node.
- **Keys** of \`accessEntries\` and \`nodePolicyArns\` become names of resources: see the notes below before you rename one.
${Object.entries(tables)
  .map(([component, changes]) => section(component, changes))
  .join("")}`;
}

function section(component: string, changes: readonly Change[]): string {
  const rows = changes.map(({ argument, what, nodes, effects, note }) => {
    const path = what === undefined ? `\`${argument}\`` : `\`${argument}\`: ${what}`;
    return `| ${path} | ${words[nodes]} | ${effects.length === 0 ? "-" : effects.join(", ")} | ${note ?? ""} |`;
  });
  return `
## ${component}

| argument | nodes | resources | note |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

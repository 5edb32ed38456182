import * as pulumi from "@pulumi/pulumi";
import { platform } from "./platform";
import { protectInside, protectOwn } from "./protection";
import { readSettings } from "./settings";
import { placeholdersIn } from "./settings/placeholders";

const config = pulumi.runtime.allConfig();
const { settings, layers } = readSettings(config, pulumi.getProject(), pulumi.getStack());

const placeholders = placeholdersIn(config);
if (placeholders.length > 0) {
  const list = placeholders.map((key) => `\n  - ${key}`).join("");
  const text = `Pulumi.${settings.environment}.yaml still holds example values; an update stops until you write yours:${list}`;
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(text);
  void pulumi.log.info(text);
}

if (settings.protected) {
  pulumi.runtime.registerStackTransformation(protectOwn);
  pulumi.runtime.registerResourceTransform(protectInside);
}

// One object, because an export without a value would be a warning: a stack of one layer has its outputs and no others.
export = platform(settings, layers);

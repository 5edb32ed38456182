import type { Path } from "../../lib/paths";

/** What a resource brings into the cloud that acts, or describes resources, beside itself. Each path stands for all that is below it. */
export interface Carrier {
  /** What is run, or called. While it isn't known, nothing can be said. */
  readonly scripts?: readonly Path[];
  /** Texts that hold a script at times, and mostly something else: what isn't known in them is no reason to ask. */
  readonly texts?: readonly Path[];
  /** Descriptions of resources: CloudFormation templates. */
  readonly templates?: readonly Path[];
  /** Texts and objects that hold Kubernetes objects or templates at times. */
  readonly manifests?: readonly Path[];
  /** Values for a template's parameters: a map, or a list of `parameterKey` and `parameterValue`. */
  readonly parameters?: Path;
  /** Of Cloud Control: what type of resource it makes, and of what. */
  readonly typed?: { readonly type: Path; readonly properties: Path };
  /** What is handed to code that nobody sees here. */
  readonly given?: readonly Path[];
  /** Names of what is somewhere else, so that no policy sees it: a template's URL, a chart, a function's package. */
  readonly elsewhere?: readonly Path[];
  /** The same for all of them, whatever they say: why. */
  readonly unseen?: string;
}

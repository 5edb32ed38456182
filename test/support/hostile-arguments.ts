import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { answersIn, run, type Place, type Registration } from "./harness";
import { nameProblems } from "./physical-names";
import { previewState, providerState } from "./provider-state";

/*
 * Property tests of whole components: random arguments, of which the test knows what is wrong, give either a graph that AWS and Kubernetes
 * would take, or one error that names each of them before anything is made.
 */

/** A value of an argument, and the paths that an error must name because of it: none if the value is right. */
export interface Candidate {
  readonly value: unknown;
  readonly named: readonly string[];
}

/** Values that a component takes: `undefined` too, for what may be left out. */
export const right = (...values: unknown[]): Candidate[] => values.map((value) => ({ value, named: [] }));

/** Values that a component refuses, all by the same path: `publicAccessCidrs[0]`. */
export const wrong = (path: string, ...values: unknown[]): Candidate[] =>
  values.map((value) => ({ value, named: [path] }));

/** Arguments, and the paths that an error must name. */
export interface Hostile {
  readonly args: Readonly<Record<string, unknown>>;
  readonly named: readonly string[];
}

/** Random arguments: a third all right, a third with one wrong value, the rest with any. */
export function hostileArguments(candidates: Readonly<Record<string, readonly Candidate[]>>): fc.Arbitrary<Hostile> {
  const rights = Object.fromEntries(Object.entries(candidates).map(([key, all]) => [key, isOneOf(all, true)]));
  const wrongs = Object.fromEntries(
    Object.entries(candidates).flatMap(([key, all]) =>
      all.some(({ named }) => named.length > 0) ? [[key, isOneOf(all, false)]] : [],
    ),
  );
  const mostlyRight = Object.fromEntries(
    Object.entries(rights).map(([key, arbitrary]) => {
      const bad = wrongs[key];
      return [key, bad === undefined ? arbitrary : fc.oneof({ weight: 3, arbitrary }, bad)];
    }),
  );
  const oneWrong = fc
    .constantFrom(...Object.keys(wrongs))
    .chain((key) => fc.record({ ...rights, [key]: wrongs[key] ?? isOneOf(candidates[key] ?? [], true) }));
  return fc.oneof(fc.record(rights), oneWrong, fc.record(mostlyRight)).map((chosen) => ({
    args: Object.fromEntries(Object.entries(chosen).map(([key, { value }]) => [key, value])),
    named: Object.values(chosen).flatMap(({ named }) => named),
  }));
}

/** Each wrong value once, among right ones. A refusal costs a few milliseconds, so that the gate can ask for all of them. */
export function eachWrong(candidates: Readonly<Record<string, readonly Candidate[]>>): Hostile[] {
  const rights = Object.entries(candidates).map(([key, all]): [string, unknown] => [
    key,
    all.find(({ named }) => named.length === 0)?.value,
  ]);
  return Object.entries(candidates).flatMap(([key, all]) =>
    all
      .filter(({ named }) => named.length > 0)
      .map(({ value, named }) => ({ args: { ...Object.fromEntries(rights), [key]: value }, named })),
  );
}

function isOneOf(all: readonly Candidate[], isRight: boolean): fc.Arbitrary<Candidate> {
  return fc.constantFrom(...all.filter(({ named }) => (named.length === 0) === isRight));
}

/** Partitions and a region of each, whose providers and services are called otherwise. */
export const places: readonly Place[] = [
  { partition: "aws", region: "eu-west-1" },
  { partition: "aws-cn", region: "cn-north-1" },
  { partition: "aws-us-gov", region: "us-gov-west-1" },
];

/** A component to be made of arguments that may be wrong. */
export interface Trial extends Hostile {
  /** `samples.EksCluster.make`, or another function that makes one component. */
  readonly make: (name: string, args: object, opts: pulumi.ComponentResourceOptions) => pulumi.Resource;
  /** Name of the component. Defaults to `one`. */
  readonly name?: string;
  /** Where it is made; ARNs among the arguments are moved there. Defaults to the first of {@link places}. */
  readonly place?: Place;
  readonly preview?: boolean;
}

/** Expects a graph that nothing is wrong with, or one error that names exactly what is, with nothing made. */
export async function expectGraphOrRefusal({ make, args, named, name = "one", place, preview }: Trial): Promise<void> {
  const { partition, region } = place ?? places[0]!;
  const moved = (value: unknown) => inPlace(value, partition, region);
  const { resources, errors } = await run(
    () => {
      const providers = [
        new aws.Provider("given-aws", { region }),
        new k8s.Provider("given-kubernetes", { kubeconfig: "{}" }),
      ];
      make(name, moved(args) as object, { providers });
    },
    {
      preview,
      state: (resource) =>
        moved((preview === true ? previewState : providerState)(resource)) as Record<string, unknown>,
      call: answersIn({ partition, region }),
    },
  );
  const messages = errors.map(({ message }) => message);
  const inside = resources.filter((r) => !/^pulumi:(providers|pulumi):/.test(r.type));
  if (named.length === 0) {
    expect(messages).toEqual([]);
    expect(graphProblems(resources, name, partition)).toEqual([]);
    expect(inside.length).toBeGreaterThan(1);
    return;
  }
  expect(messages).toHaveLength(1);
  // Other errors are crashes: of this kind only are those that the component's own checks give.
  expect([messages[0], errors.every((error) => pulumi.InputPropertiesError.isInstance(error))]).toEqual([
    messages[0],
    true,
  ]);
  expect([...new Set(pathsIn(messages[0]!))].sort()).toEqual([...new Set(named)].sort());
  expect(inside.map((r) => `${r.type} ${r.name}`)).toHaveLength(1); // the component itself
}

/** The value with ARNs and regions of another place. What isn't plain data stays as it is. */
function inPlace(value: unknown, partition: string, region: string): unknown {
  if (typeof value === "string")
    return value.replaceAll("arn:aws:", `arn:${partition}:`).replaceAll("eu-west-1", region);
  if (Array.isArray(value)) return value.map((member: unknown) => inPlace(member, partition, region));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inPlace(member, partition, region)]));
}

/** The arguments that an error lists. */
function pathsIn(message: string): string[] {
  return [...message.matchAll(/^ {2}- (.+?): /gm)].map(([, path]) => path!);
}

/** What is wrong with the resources of a component. */
function graphProblems(resources: readonly Registration[], name: string, partition: string): string[] {
  const urns = new Set(resources.map((r) => r.urn));
  const own = resources.filter((r) => !/^pulumi:(providers|pulumi):/.test(r.type));
  const problems = own.flatMap((r) => {
    const text = JSON.stringify(r.inputs);
    const foreign = [...text.matchAll(/arn:([a-z-]+):/g)].filter(([, other]) => other !== partition);
    return [
      ...(r.name === name || r.name.startsWith(`${name}-`) ? [] : ["its name doesn't begin with its component's"]),
      ...[r.parent, ...r.dependencies].filter((urn) => !urns.has(urn)).map((urn) => `${urn} isn't there`),
      ...(/undefined|\[object |\bNaN\b|Calling \[to/.test(text + r.name)
        ? [`says nothing where it should: ${text}`]
        : []),
      ...foreign.map(([arn]) => `${arn} isn't in the partition ${partition}`),
    ].map((problem) => `${r.type} ${r.name}: ${problem}`);
  });
  const twice = own.length === new Set(own.map((r) => r.urn)).size ? [] : ["two resources have one name"];
  return [...problems, ...twice, ...nameProblems(own)];
}

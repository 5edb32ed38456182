/** Packages whose resources are components that are made in another process. */
const componentPackages = /^(awsx|eks):/;

/**
 * Whether this is such a component as an engine shows it to policies: without its arguments, which went to the process that makes what is in
 * it (seen with 3.248: only the child that registers itself is analyzed). That nothing is written may not be concluded from it; its children
 * are resources of the stack, and judged. A check without plugins has the arguments instead, and no children.
 */
export function isWithoutArguments({ type, props }: { type: string; props: object }): boolean {
  return componentPackages.test(type) && Object.keys(props).length === 0;
}

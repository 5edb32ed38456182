const seconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** Seconds of a duration as Karpenter writes them (`1h30m`, pattern `([0-9]+(s|m|h))+`); undefined for anything else. */
export function secondsOf(duration: string): number | undefined {
  if (!/^(\d+[smh])+$/.test(duration)) return undefined;
  return [...duration.matchAll(/(\d+)([smh])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * seconds[unit!]!, 0);
}

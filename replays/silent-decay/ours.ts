import { TargetHealthAlarms, type TargetHealthAlarmsArgs } from "../../components/alarms";
import { run } from "../../test/support/harness";
import { alarmOf, type AlarmDefinition } from "./cloudwatch/definition";
import { argsOf, type Edge } from "./edge/edge";

/** Alarms by the key that the component gives them. */
export type AlarmSet = Readonly<Record<string, AlarmDefinition>>;

/** Runs the component as a program would, and reads the alarms that it registers. */
export async function ourAlarms(edge: Edge, change: Partial<TargetHealthAlarmsArgs> = {}): Promise<AlarmSet> {
  const { resources, outputs, errors } = await run(() => ({
    names: new TargetHealthAlarms("shop", { ...argsOf(edge), ...change }).alarmNames,
  }));
  if (errors[0] !== undefined) throw errors[0];
  const registered = resources.filter(({ type }) => type === "aws:cloudwatch/metricAlarm:MetricAlarm");
  const alarms = registered.map(({ inputs }) => alarmOf(inputs));
  return Object.fromEntries(
    Object.entries(outputs?.names ?? {}).map(([key, name]) => {
      const alarm = alarms.find((one) => one.name === name);
      if (alarm === undefined) throw new Error(`${key} is named ${name}, but no such alarm was registered`);
      return [key, alarm];
    }),
  );
}

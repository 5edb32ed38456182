/*
 * What of CloudWatch's dashboard language is used here ("Dashboard Body Structure and Syntax", CloudWatch API reference).
 */

/** How one line of a graph is drawn, and its name for calculations. */
export interface MetricOptions {
  readonly id?: string;
  readonly label?: string;
  readonly stat?: "Minimum" | "Maximum" | "Sum";
  readonly visible?: boolean;
}

/** `[namespace, metric, dimension, value, ..., options]`, or an expression alone. */
export type MetricRow =
  | readonly [string, ...string[], MetricOptions]
  | readonly [
      { readonly expression: string; readonly id: string; readonly label?: string; readonly visible?: boolean },
    ];

/** A line across a graph. */
export interface Line {
  readonly value: number;
  readonly label: string;
  readonly color: string;
  readonly fill?: "below";
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A graph. */
export interface MetricWidget extends Place {
  readonly type: "metric";
  readonly properties: {
    readonly title: string;
    readonly region: string;
    readonly view: "timeSeries";
    readonly period: number;
    readonly metrics: readonly MetricRow[];
    readonly yAxis: { readonly left: { readonly min: number } };
    readonly annotations?: { readonly horizontal: readonly Line[] };
  };
}

/** A text. */
export interface TextWidget extends Place {
  readonly type: "text";
  readonly properties: { readonly markdown: string };
}

/** States of alarms. */
export interface AlarmWidget extends Place {
  readonly type: "alarm";
  readonly properties: {
    readonly title: string;
    readonly alarms: readonly string[];
    readonly sortBy: "stateUpdatedTimestamp";
  };
}

export type Widget = MetricWidget | TextWidget | AlarmWidget;

/** All of a dashboard. */
export interface DashboardBody {
  readonly start: string;
  readonly periodOverride: "auto";
  readonly widgets: readonly Widget[];
}

/** An edge of which everything is known. */
export interface EdgeFacts {
  readonly title: string;
  readonly network: boolean;
  readonly loadBalancer: string;
  /** Last parts of ARNs, by the name that graphs show; one without a name is called "". */
  readonly targetGroups: Readonly<Record<string, string>>;
  readonly zones?: readonly string[];
  readonly crossZone: boolean;
  readonly minReplicas?: number;
  readonly lowThreshold: number;
}

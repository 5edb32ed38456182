/*
 * A picture of a dashboard's layout from its real body: where the widgets are, what is drawn in each and by what name, and the lines across.
 * No curve is drawn, because there are no measurements: only CloudWatch has those.
 */

interface Options {
  readonly label?: string;
  readonly visible?: boolean;
  readonly expression?: string;
}

interface Line {
  readonly value: number;
  readonly label: string;
  readonly color: string;
}

/** What of a dashboard's body is drawn. */
export interface Body {
  readonly widgets: readonly {
    readonly type: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly properties: {
      readonly title?: string;
      readonly markdown?: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly (string | Options)[])[];
      readonly annotations?: { readonly horizontal: readonly Line[] };
    };
  }[];
}

type Widget = Body["widgets"][number];

/** Pixels of a unit of the grid. */
const [column, row] = [40, 30];
const colors = ["#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"];

/** The picture, as SVG. */
export function picture(body: Body): string {
  const height = Math.max(...body.widgets.map((w) => w.y + w.height)) * row + 24;
  const caption = "Layout of the dashboard, generated from the component: no measurements.";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * column} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#f2f3f3"/>`,
    ...body.widgets.flatMap(widget),
    text(8, height - 8, caption, { fill: "#545b64" }),
    "</svg>",
    "",
  ].join("\n");
}

function widget(w: Widget): string[] {
  const [x, y, width, height] = [w.x * column + 3, w.y * row + 3, w.width * column - 6, w.height * row - 6];
  const { title, markdown, alarms, metrics } = w.properties;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#fff" stroke="#d5dbdb"/>`,
    ...(title === undefined ? [] : [text(x + 8, y + 17, title, { "font-weight": "bold" })]),
    ...(markdown === undefined ? [] : texts(x + 8, y + 17, markdown.split("\n"))),
    ...(alarms === undefined ? [] : states(x + 8, y + 26, (width - 16) / 4, alarms)),
    ...(metrics === undefined ? [] : graph(x + 8, y + 26, width - 16, height - 34, w)),
  ];
}

/** Alarms in their boxes, four beside each other, green as they are most of the time. */
function states(x: number, y: number, width: number, arns: readonly string[]): string[] {
  return arns.flatMap((arn, n) => {
    const [left, top] = [x + (n % 4) * width, y + Math.floor(n / 4) * row];
    return [
      `<rect x="${left}" y="${top}" width="${width - 6}" height="${row - 6}" fill="#e9f5e9" stroke="#2ca02c"/>`,
      text(left + 6, top + 16, arn.split(":").slice(6).join(":")),
    ];
  });
}

/** Axes, lines across at their heights, and the names of what is drawn. */
function graph(x: number, y: number, width: number, height: number, { properties }: Widget): string[] {
  const lines = properties.annotations?.horizontal ?? [];
  const top = Math.max(1, ...lines.map((line) => line.value)) * 1.25;
  const bottom = y + height - 22;
  const at = (value: number) => Math.round(bottom - (value / top) * (bottom - y));
  const labels = (properties.metrics ?? []).flatMap((parts) => {
    const last = parts.at(-1);
    if (typeof last !== "object" || last.visible === false) return [];
    return [last.label ?? "one line for each zone"];
  });
  const step = Math.floor(width / Math.max(1, labels.length));
  return [
    `<path d="M${x} ${y}V${bottom}H${x + width}" fill="none" stroke="#aab7b8"/>`,
    ...lines.flatMap(({ value, label, color }) => [
      `<path d="M${x} ${at(value)}H${x + width}" stroke="${color}" stroke-dasharray="5 3"/>`,
      text(x + 6, at(value) - 4, `${value}: ${label}`, { fill: color }),
    ]),
    ...labels.flatMap((label, n) => [
      `<rect x="${x + n * step}" y="${bottom + 9}" width="9" height="9" fill="${colors[n % colors.length]!}"/>`,
      text(x + n * step + 13, bottom + 17, label),
    ]),
  ];
}

function texts(x: number, y: number, lines: readonly string[]): string[] {
  return lines.map((line, n) =>
    text(x, y + n * 17, line.replace(/^#+ /, ""), line.startsWith("#") ? { "font-weight": "bold" } : {}),
  );
}

function text(x: number, y: number, content: string, style: Record<string, string> = {}): string {
  const attributes = Object.entries(style).map(([key, value]) => ` ${key}="${value}"`);
  return `<text x="${x}" y="${y}"${attributes.join("")}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

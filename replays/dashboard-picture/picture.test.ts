import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { examplePicture } from "./example";
import { picture, type Body } from "./picture";

test("the committed picture is what the component makes: npm run docs:pictures", async () => {
  const committed = readFileSync(resolve(__dirname, "../../docs/dashboard.svg"), "utf8");
  expect(committed).toBe(await examplePicture());
});

test("shows titles, names and lines where the body has them, and no more", () => {
  const body: Body = {
    widgets: [
      {
        type: "metric",
        x: 12,
        y: 2,
        width: 12,
        height: 6,
        properties: {
          title: "Healthy & well",
          metrics: [
            ["n", "m", { label: "lowest" }],
            ["n", "m", { label: "hidden", visible: false }],
            [{ expression: "SEARCH()" }],
          ],
          annotations: { horizontal: [{ value: 2, label: "few", color: "#d62728" }] },
        },
      },
    ],
  };
  const svg = picture(body);
  expect(svg).toContain(">Healthy &amp; well</text>");
  expect(svg).toContain('<rect x="483" y="63" width="474" height="174"');
  for (const shown of [">lowest</text>", ">one line for each zone</text>", ">2: few</text>"])
    expect(svg).toContain(shown);
  expect(svg).not.toContain("hidden");
});

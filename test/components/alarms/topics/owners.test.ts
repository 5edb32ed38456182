import {
  AlarmEndpointProtocol,
  AlarmTopics,
  type AlarmOwner,
  type AlarmTopicsArgs,
} from "../../../../components/alarms";
import { find } from "../../../support/graph";
import { run } from "../../../support/harness";

/*
 * In the first outage the page went to the frontend team, and half an hour was lost. With owners a page goes to the team that owns the layer.
 */

const mail = (address: string) => ({ protocol: AlarmEndpointProtocol.Email, address });
const everybody = { pageEndpoints: { platform: mail("platform@acme.io") } };
const edge: AlarmOwner = { pageEndpoints: { edge: mail("edge@acme.io") } };
const kafka: AlarmOwner = {
  pageEndpoints: { streams: mail("streams@acme.io") },
  ticketEndpoints: { desk: mail("desk@acme.io") },
};

const make = (args: Partial<AlarmTopicsArgs> = {}) =>
  run(
    () => {
      const { routes, ownerRoutes } = new AlarmTopics("alarms", { ...everybody, ...args });
      return { routes, ownerRoutes };
    },
    { state: ({ name }) => ({ arn: `arn:${name}`, name }) },
  );
const message = async (args: Partial<AlarmTopicsArgs>) => (await make(args)).errors.map((e) => e.message).join("\n");

test("each owner has topics of its own, encrypted by the one key, and its endpoints hear nobody else's", async () => {
  const { resources, errors, outputs } = await make({ owners: { loadBalancer: edge, kafka } });
  expect(errors).toEqual([]);
  expect(outputs?.routes).toEqual({ pageTopicArn: "arn:alarms-page", ticketTopicArn: "arn:alarms-ticket" });
  expect(outputs?.ownerRoutes).toEqual({
    loadBalancer: { pageTopicArn: "arn:alarms-loadBalancer-page", ticketTopicArn: "arn:alarms-ticket" },
    kafka: { pageTopicArn: "arn:alarms-kafka-page", ticketTopicArn: "arn:alarms-kafka-ticket" },
  });
  const subscriptions = resources.filter((r) => r.type === "aws:sns/topicSubscription:TopicSubscription");
  expect(subscriptions.map(({ name, inputs }) => [name, inputs["topic"], inputs["endpoint"]]).sort()).toEqual([
    ["alarms-kafka-page-streams", "arn:alarms-kafka-page", "streams@acme.io"],
    ["alarms-kafka-ticket-desk", "arn:alarms-kafka-ticket", "desk@acme.io"],
    ["alarms-loadBalancer-page-edge", "arn:alarms-loadBalancer-page", "edge@acme.io"],
    ["alarms-page-platform", "arn:alarms-page", "platform@acme.io"],
  ]);
  const topics = resources.filter((r) => r.type === "aws:sns/topic:Topic");
  expect(topics).toHaveLength(5);
  expect(new Set(topics.map((r) => r.inputs["kmsMasterKeyId"]))).toEqual(new Set(["arn:alarms-key"]));
  // Without its own policy a topic takes no message of an alarm.
  const policy = find(resources, "aws:sns/topicPolicy:TopicPolicy", "alarms-kafka-page-policy").inputs;
  expect(policy["arn"]).toBe("arn:alarms-kafka-page");
  expect(policy["policy"]).toContain('"Resource":"arn:alarms-kafka-page"');
});

test("an owner more changes nothing of what was there", async () => {
  const urns = async (args: Partial<AlarmTopicsArgs>) => (await make(args)).resources.map((r) => r.urn);
  const [before, after] = await Promise.all([urns({}), urns({ owners: { kafka } })]);
  expect(after).toEqual(expect.arrayContaining(before));
});

test("an owner that nobody listens for is refused, unless somebody says so", async () => {
  const nobody = { pageEndpoints: {} };
  expect(await message({ owners: { kafka: nobody } })).toContain("owners.kafka.pageEndpoints: is empty");
  expect(await message({ owners: { kafka: { ...nobody, subscribedElsewhere: true } } })).toBe("");
});

test.each(["kafka-team", "page", "ticket", "chat", "default", "", "1st"])(
  "an owner called %j, whose resources could have another's names, is refused",
  async (owner) =>
    expect(await message({ owners: { [owner]: edge } })).toContain(`owners.${owner}: can't be an owner's name`),
);

test("a wrong address of an owner is found where it is", async () => {
  const wrong = { protocol: AlarmEndpointProtocol.Https, address: "http://events.acme.io/key" };
  const text = await message({ owners: { kafka: { pageEndpoints: { hook: wrong } } } });
  expect(text).toContain("owners.kafka.pageEndpoints.hook.address must start with https://");
  expect(text).not.toContain("events.acme.io");
});

import { Lab } from "./lab";
import { say } from "../karpenter/say";

jest.setTimeout(30 * 60_000);

let lab: Lab | undefined;
beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab?.stop());

test("two of three copies must have a message: the topic's effective setting, not only the file's", async () => {
  const described = await lab!.administer(
    '/opt/kafka/bin/kafka-configs.sh --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES" --entity-type topics --entity-name lab-orders --describe --all',
  );
  say(described.slice(0, 600));
  expect(described).toMatch(/^ *min\.insync\.replicas=2 /m);
});

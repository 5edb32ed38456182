import type { JsonObject } from "../../../cli/engine/values";
import type { Location } from "./computed";

/** What AWS says of the place where a program runs. */
export function answer(token: string, { region, account }: Location): JsonObject {
  switch (token) {
    case "aws:index/getPartition:getPartition":
      return { partition: "aws", dnsSuffix: "amazonaws.com", id: "aws", reverseDnsPrefix: "com.amazonaws" };
    case "aws:index/getCallerIdentity:getCallerIdentity":
      return { accountId: account, arn: `arn:aws:iam::${account}:user/deployer`, id: account, userId: "AIDA" };
    case "aws:index/getRegion:getRegion":
      return { region, id: region, name: region };
    default:
      throw new Error(`the simulated cloud has no answer for ${token}`);
  }
}

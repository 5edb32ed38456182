import * as pulumi from "@pulumi/pulumi";
import * as moorings from "../../../components";
import { routes, sample, secretText, tags, type Sample } from "./sample";

const mail = { protocol: moorings.AlarmEndpointProtocol.Email, address: "team@acme.io" };
const slack = { service: moorings.ChatService.Slack, channelId: "C07EZ1ABC23", workspaceId: "T07EA123LEP" };
const teams = {
  service: moorings.ChatService.MicrosoftTeams,
  channelId: "19%3Aab12cd%40thread.tacv2",
  workspaceId: "74361522-da01-538d-aa2e-ac7918c6bb92",
  tenantId: "5f1d9a3c-7b0e-4c53-9a55-0c8e2d4b6f10",
};

/** Samples of where alarms go, and of what shows and exports what they watch. */
export const alarmSamples: Record<string, Sample> = {
  AlarmTopics: sample(
    moorings.AlarmTopics,
    { pageEndpoints: { duty: { protocol: moorings.AlarmEndpointProtocol.Https, address: pulumi.secret(secretText) } } },
    {
      ticketEndpoints: { team: mail },
      owners: { kafka: { pageEndpoints: { streams: mail }, ticketEndpoints: { desk: mail } } },
      chat: { room: slack, office: teams },
      chatRegion: "eu-west-1",
      keyDeletionWindowInDays: 7,
      tags,
    },
    {
      args: { pageEndpoints: {}, keyDeletionWindowInDays: 3 },
      messages: ["pageEndpoints", "keyDeletionWindowInDays"],
    },
    { without: ["subscribedElsewhere"] }, // for a topic without endpoints
  ),
  TargetHealthDashboard: sample(
    moorings.TargetHealthDashboard,
    {
      edges: {
        web: {
          loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
          targetGroupArnSuffix: "targetgroup/web/73e2d6bc24d8a067",
        },
      },
    },
    {
      edges: {
        shop: {
          loadBalancerType: moorings.LoadBalancerType.Network,
          loadBalancerArnSuffix: "net/shop/50dc6c495c0c9188",
          targetGroupArnSuffixes: {
            blue: "targetgroup/blue/73e2d6bc24d8a067",
            green: "targetgroup/green/83e2d6bc24d8a067",
          },
          availabilityZones: ["eu-west-1a", "eu-west-1b"],
          crossZone: false,
          minReplicas: 3,
          lowThreshold: 1,
          alarmArns: { staleTargets: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop-stale-targets" },
        },
      },
      dashboardName: "prod-shop",
      hours: 336,
    },
    { args: { edges: {}, hours: 0 }, messages: ["edges", "hours"] },
  ),
  MetricExport: sample(
    moorings.MetricExport,
    {
      destination: moorings.MetricDestination.NewRelicEu,
      accessKeySecretArn: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:new-relic-AbCdEf",
      routes,
    },
    {
      destination: moorings.MetricDestination.Generic,
      url: pulumi.secret(secretText),
      accessKeySecretKmsKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d",
      format: moorings.MetricFormat.Json,
      metrics: { "Moorings/shop": [] },
      severity: moorings.AlarmSeverity.Page,
      namePrefix: "prod",
      runbookUrl: "https://runbooks.acme.io/metric-export",
      backupRetentionDays: 30,
      forceDestroy: true,
      logRetentionDays: 30,
      tags,
    },
    { args: { backupRetentionDays: 0, logRetentionDays: 8 }, messages: ["backupRetentionDays", "logRetentionDays"] },
  ),
};

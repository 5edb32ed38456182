const { AwsGuard } = require("@pulumi/awsguard");

new AwsGuard({ all: "mandatory" });

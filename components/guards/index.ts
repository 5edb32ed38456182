export { registrationGuardDocuments } from "./registration/documents";
export {
  AwsPartition,
  GuardForm,
  type RegistrationGuardArgs,
  type RegistrationGuardDocuments,
  type RegistrationGuardDocumentsArgs,
} from "./registration/guard-args";
export { RegistrationGuard } from "./registration/registration-guard";
export type { TamperDetectionArgs, TamperTrailArgs } from "./tampering/tamper-args";
export { TamperDetection } from "./tampering/tamper-detection";

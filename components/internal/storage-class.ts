/**
 * What of a storage class Kubernetes never lets change (pkg/apis/storage/validation, `ValidateStorageClassUpdate`). Pulumi's provider
 * replaces for the first two by itself, and would ask for the others in vain.
 */
export const fixedOfStorageClass = ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"];

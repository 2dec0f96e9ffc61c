/** As StorageClasses name it. */
export const provisionerName = "rancher.io/local-path";

declare module "gltf-validator" {
  const validator: {
    validateBytes(
      bytes: Uint8Array,
      options?: {
        maxIssues?: number;
        externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
      },
    ): Promise<{ issues: { messages: { code: string; message: string; severity: number }[] } }>;
  };
  export default validator;
}

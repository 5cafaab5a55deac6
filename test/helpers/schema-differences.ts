/** The keywords of JSON Schema that our schema uses. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

/** Lists where a value differs from its schema, for those keywords. */
export function differences(value: unknown, schema: Schema, at = "report"): string[] {
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${at} is ${value}`];
  const type = Array.isArray(value) ? "array" : typeof value;
  const isRight =
    schema.type === undefined ||
    type === schema.type ||
    (schema.type === "integer" && Number.isInteger(value));
  if (!isRight) return [`${at} is ${type}, not ${schema.type}`];
  if (schema.minimum !== undefined && !((value as number) >= schema.minimum)) {
    return [`${at} is ${value}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => differences(item, schema.items ?? {}, `${at}[${i}]`));
  }
  if (type !== "object") return [];
  const object = value as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(object, key));
  return [
    ...missing.map((key) => `${at}.${key} is missing`),
    ...Object.entries(object).flatMap(([key, inner]) => {
      const rule = schema.properties?.[key] ?? schema.additionalProperties ?? true;
      if (rule === false) return [`${at}.${key} is not in the schema`];
      return rule === true ? [] : differences(inner, rule, `${at}.${key}`);
    }),
  ];
}

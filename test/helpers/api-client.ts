// Writes a TypeScript client from an OpenAPI document, like client generators: a type for each schema, and a
// function for each operation.

interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: string[];
  items?: JsonSchema;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  format?: string;
}

interface Parameter {
  name: string;
  in: "query" | "path";
  required?: boolean;
  schema: JsonSchema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

type PathItem = Record<string, Operation> & { parameters?: Parameter[] };

/** The part of an OpenAPI document that a client needs. */
export interface ApiDocument {
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, JsonSchema> };
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.format === "binary") return "ArrayBuffer";
  if (schema.type === "array") return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string" || schema.type === "boolean") return schema.type;
  if (!schema.properties) return "Record<string, unknown>";
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties).map(
    ([name, each]) => `  ${JSON.stringify(name)}${required.has(name) ? "" : "?"}: ${typeOf(each)};`,
  );
  return `{\n${lines.join("\n")}\n}`;
}

function operation(route: string, method: string, item: PathItem): string {
  const { operationId, parameters = [], requestBody, responses } = item[method];
  const all = [...(item.parameters ?? []), ...parameters];
  const fields = all.map(
    ({ name, required, schema }) =>
      `${JSON.stringify(name)}${required ? "" : "?"}: ${typeOf(schema)}`,
  );
  const body = Object.values(requestBody?.content ?? {}).map(({ schema }) => typeOf(schema));
  const [, found] = Object.entries(responses).find(([status]) => status.startsWith("2"))!;
  const types = Object.entries(found.content ?? {});
  const answer = [...new Set(types.map(([, { schema }]) => typeOf(schema)))].join(" | ") || "void";
  const args = [
    `query: { ${fields.join("; ")} }`,
    ...(body.length ? [`body: ${body.join(" | ")}`] : []),
  ];
  const sent = body.length ? "body" : "undefined";
  return `export function ${operationId}(server: Server, ${args.join(", ")}): Promise<${answer}> {
  return send(server, ${JSON.stringify(method)}, ${JSON.stringify(route)}, query, ${sent}) as Promise<${answer}>;
}`;
}

/** Returns the source of a client; it imports nothing. */
export function clientOf({ paths, components }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const calls = Object.entries(paths).flatMap(([route, item]) =>
    Object.keys(item)
      .filter((method) => method !== "parameters")
      .map((method) => operation(route, method, item)),
  );
  return `${schemas.join("\n")}

export interface Server { url: string; token?: string }

async function send(
  { url, token }: Server, method: string, route: string, query: object, body?: unknown,
): Promise<unknown> {
  const rest = new URLSearchParams();
  let path = route;
  for (const [name, value] of Object.entries(query)) {
    if (path.includes(\`{\${name}}\`)) path = path.replace(\`{\${name}}\`, String(value));
    else if (value !== undefined) rest.set(name, String(value));
  }
  const isBytes = body instanceof ArrayBuffer;
  const headers: Record<string, string> = {};
  if (token) headers.Authorization = \`Bearer \${token}\`;
  if (body !== undefined) headers["Content-Type"] = isBytes ? "application/octet-stream" : "application/json";
  const sent = isBytes ? body : body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(\`\${url}\${path}?\${rest}\`, { method: method.toUpperCase(), headers, body: sent });
  if (!answer.ok) throw new Error(((await answer.json()) as Error & { error: string }).error);
  const type = answer.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return answer.json();
  if (type.startsWith("text/event-stream") || type.startsWith("text/plain")) return answer.text();
  return answer.status === 204 ? undefined : answer.arrayBuffer();
}

${calls.join("\n\n")}
`;
}

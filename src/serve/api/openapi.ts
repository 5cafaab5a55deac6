import { packageVersion } from "../../files/package-root.ts";
import { ENDINGS } from "../../formats/endings.ts";
import { API_OPTIONS } from "./options.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ "application/json": { schema } });
const answer = (description: string, content?: object) => ({
  description,
  ...(content && { content }),
});
const refusal = (description: string) => answer(description, json(ref("Error")));
const numbers = (description: string) => ({
  type: "array",
  items: { type: "number" },
  description,
});
/** An object that has these properties, some of them always, and no others. */
const closed = (required: string[], properties: object) => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
});

const JOB = closed(["id", "state", "file", "created"], {
  id: { type: "string" },
  state: { type: "string", enum: ["waiting", "running", "done", "failed"] },
  file: { type: "string", description: "The name of the file it was made from." },
  created: { type: "string", format: "date-time" },
  stage: {
    type: "string",
    description: "What is being done while it runs: read, prepare, distances, network, write ...",
  },
  fraction: { type: "number", minimum: 0, maximum: 1, description: "How far the stage is." },
  error: { type: "string", description: "One sentence, where it failed." },
  isUserError: { type: "boolean", description: "Whether the file is to blame." },
  vertices: { type: "integer", minimum: 0 },
  joints: { type: "integer", minimum: 0 },
  doubt: { type: "number", minimum: 0, description: "The L1 error to expect, 0 to 2." },
  seconds: { type: "number", minimum: 0 },
  expires: { type: "string", format: "date-time", description: "When it is thrown away." },
});

const ERROR = closed(["error"], { error: { type: "string", description: "One sentence." } });

const CHARACTER = {
  type: "object",
  required: ["mesh", "skeleton"],
  properties: {
    name: { type: "string" },
    mesh: {
      type: "object",
      required: ["positions", "triangles"],
      properties: {
        positions: numbers("x, y, z of each vertex"),
        triangles: numbers("three vertices of each triangle"),
      },
    },
    skeleton: {
      type: "object",
      required: ["names", "parents", "positions"],
      properties: {
        names: { type: "array", items: { type: "string" } },
        parents: numbers("the joint above each joint; -1 for a root"),
        positions: numbers("x, y, z of each joint"),
      },
    },
    weights: {
      type: "object",
      description: "Where some are to be kept, and to say which joints are in use.",
      required: ["influences", "joints", "weights"],
      properties: {
        influences: { type: "integer", minimum: 1 },
        joints: numbers("so many joints of each vertex"),
        weights: numbers("and their weights"),
      },
    },
    options: ref("Options"),
  },
};

const SERVICE = closed(["service", "needsToken", "maxUpload", "keepSeconds"], {
  service: { type: "boolean" },
  needsToken: { type: "boolean" },
  maxUpload: { type: "integer", minimum: 1, description: "Bytes of an upload." },
  keepSeconds: { type: "number", minimum: 0, description: "For which results are kept." },
});

const HEALTH = closed(["status"], { status: { type: "string", enum: ["ok"] } });

const refusals = {
  "401": refusal("No token, or a wrong one."),
  "429": refusal("Too many requests, or too many jobs under way."),
};
const missing = { "404": refusal("There is no such job."), ...refusals };
const early = { "409": refusal("It is not done."), ...missing };

/** What is told of an address where there is something to get, and of those below a job. */
const got = (summary: string, found: object, others: object) => ({
  get: { summary, responses: { "200": found, ...others } },
});
const ofJob = (...about: Parameters<typeof got>) => ({
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  ...got(...about),
});
/** What everybody may ask for. */
const open = (summary: string, found: object) => ({
  get: { summary, security: [], responses: { "200": found } },
});

/** The service's description, OpenAPI 3.1. */
export function openApi(): object {
  const name = {
    name: "name",
    in: "query",
    schema: { type: "string" },
    required: true,
    description: `The name of the file, which says what it is: ${ENDINGS.join(", ")}.`,
  };
  const query = Object.entries(API_OPTIONS).map(([option, { description, ...schema }]) => ({
    name: option,
    in: "query",
    description,
    schema,
    ...(schema.type === "array" && { style: "form", explode: false }),
  }));
  const file = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  return {
    openapi: "3.1.0",
    info: { title: "HeterSkin", version: packageVersion() },
    security: [{ token: [] }],
    paths: {
      "/api/jobs": {
        post: {
          summary: "Bind a character: the bytes of its file, or a mesh and a skeleton as JSON.",
          parameters: [name, ...query],
          requestBody: { required: true, content: { ...file, ...json(ref("Character")) } },
          responses: {
            "202": answer("The job.", json(ref("Job"))),
            "400": refusal("The request cannot be worked with."),
            "408": answer("The upload took too long."),
            "413": refusal("The upload is too large."),
            "503": refusal("The service has too many jobs, or no room."),
            ...refusals,
          },
        },
      },
      "/api/jobs/{id}": {
        ...ofJob("How a job stands.", answer("The job.", json(ref("Job"))), missing),
        delete: {
          summary: "Ends a job and throws its result away.",
          responses: { "204": answer("It is gone."), ...missing },
        },
      },
      "/api/jobs/{id}/events": ofJob(
        "The job whenever it changes or gets on, as server-sent events, until it has ended.",
        answer("Events.", { "text/event-stream": {} }),
        missing,
      ),
      "/api/jobs/{id}/result": ofJob(
        "The file with its weights, a GLB or VRM.",
        answer("The file.", { "model/gltf-binary": {} }),
        early,
      ),
      "/api/jobs/{id}/report": ofJob(
        "What happened; see docs/report.schema.json.",
        answer("The report.", json({ type: "object" })),
        early,
      ),
      "/api/openapi.json": open("This description.", answer("OpenAPI.", json({ type: "object" }))),
      "/service.json": open(
        "That there is a service, for the page beside it; without one it says so.",
        answer("There is.", json(ref("Service"))),
      ),
      "/healthz": open("Whether the service runs.", answer("It does.", json(ref("Health")))),
      "/metrics": got("Counts for Prometheus.", answer("Metrics.", { "text/plain": {} }), refusals),
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Job: JOB,
        Error: ERROR,
        Character: CHARACTER,
        Options: { type: "object", properties: API_OPTIONS, additionalProperties: false },
        Service: SERVICE,
        Health: HEALTH,
      },
    },
  };
}

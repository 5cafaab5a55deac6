import { packageVersion } from "../../files/package-root.ts";
import { ENDINGS } from "../../formats/endings.ts";
import { API_OPTIONS } from "./options.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answer = (description: string, content = {}) => ({ description, ...content });
const refusal = (description: string) => answer(description, json(ref("Error")));
const numbers = (description: string) => ({
  type: "array",
  items: { type: "number" },
  description,
});
/** An object without further properties. */
const closed = (required: string[], properties: object) => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
});

const JOB = closed(["id", "state", "file", "created"], {
  id: { type: "string" },
  state: { type: "string", enum: ["waiting", "running", "done", "failed"] },
  file: { type: "string", description: "Name of the uploaded file." },
  created: { type: "string", format: "date-time" },
  stage: {
    type: "string",
    description: "Stage of a running job: read, prepare, distances, network, write ...",
  },
  fraction: { type: "number", minimum: 0, maximum: 1, description: "Progress of the stage." },
  error: { type: "string", description: "One sentence, if the job failed." },
  isUserError: { type: "boolean", description: "Whether the file caused the error." },
  vertices: { type: "integer", minimum: 0 },
  joints: { type: "integer", minimum: 0 },
  doubt: { type: "number", minimum: 0, description: "Expected L1 error, 0 to 2." },
  seconds: { type: "number", minimum: 0 },
  expires: { type: "string", format: "date-time", description: "Time of deletion." },
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
        triangles: numbers("three vertex indices per triangle"),
      },
    },
    skeleton: {
      type: "object",
      required: ["names", "parents", "positions"],
      properties: {
        names: { type: "array", items: { type: "string" } },
        parents: numbers("parent index of each joint; -1 for a root"),
        positions: numbers("x, y, z of each joint"),
      },
    },
    weights: {
      type: "object",
      description: "Existing weights, to keep some of them and to find the joints in use.",
      required: ["influences", "joints", "weights"],
      properties: {
        influences: { type: "integer", minimum: 1 },
        joints: numbers("joint indices, `influences` per vertex"),
        weights: numbers("weights, `influences` per vertex"),
      },
    },
    options: ref("Options"),
  },
};

const SERVICE = closed(["service", "needsToken", "maxUpload", "keepSeconds"], {
  service: { type: "boolean" },
  needsToken: { type: "boolean" },
  maxUpload: { type: "integer", minimum: 1, description: "Maximum size of an upload in bytes." },
  keepSeconds: { type: "number", minimum: 0, description: "Seconds until a job is deleted." },
});

const HEALTH = closed(["status"], { status: { type: "string", enum: ["ok"] } });

const refusals = {
  "401": refusal("The token is missing or invalid."),
  "403": refusal("The request comes from a page of another site."),
  "429": refusal("Too many requests, or too many unfinished jobs."),
};
const missing = { "404": refusal("There is no such job."), ...refusals };
const early = { "409": refusal("The job is not done."), ...missing };

const get = (summary: string, found: object, others: object) => ({
  get: { summary, responses: { "200": found, ...others } },
});
const getOfJob = (...endpoint: Parameters<typeof get>) => ({
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  ...get(...endpoint),
});
/** An endpoint that needs no token. */
const getPublic = (summary: string, found: object) => ({
  get: { summary, security: [], responses: { "200": found } },
});

/** Returns the OpenAPI 3.1 description of the service. */
export function openApi(): object {
  const name = {
    name: "name",
    in: "query",
    schema: { type: "string" },
    required: true,
    description: `Name of the file, with one of the endings ${ENDINGS.join(", ")}.`,
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
        get: {
          summary: "Your jobs, oldest first.",
          responses: {
            "200": answer("The jobs.", json(ref("Jobs"))),
            ...refusals,
          },
        },
        post: {
          summary: "Bind a character: the bytes of its file, or a mesh and a skeleton as JSON.",
          parameters: [name, ...query],
          requestBody: {
            required: true,
            content: { ...file, ...json(ref("Character")).content },
          },
          responses: {
            "202": answer("The job.", json(ref("Job"))),
            "400": refusal("The request is invalid."),
            "408": answer("The upload took too long."),
            "413": refusal("The upload is too large."),
            "415": refusal("The type of the body is not supported."),
            "503": refusal("The service has too many jobs, or no space."),
            ...refusals,
          },
        },
      },
      "/api/jobs/{id}": {
        ...getOfJob("State of a job.", answer("The job.", json(ref("Job"))), missing),
        delete: {
          summary: "Cancel a job and delete its files.",
          responses: { "204": answer("The job is deleted."), ...missing },
        },
      },
      "/api/jobs/{id}/events": getOfJob(
        "The job on every change, as server-sent events, until it ends.",
        answer("Events.", { content: { "text/event-stream": {} } }),
        missing,
      ),
      "/api/jobs/{id}/result": getOfJob(
        "The file with its weights, a GLB or VRM.",
        answer("The file.", { content: { "model/gltf-binary": {} } }),
        early,
      ),
      "/api/jobs/{id}/report": getOfJob(
        "The report; see docs/report.schema.json.",
        answer("The report.", json({ type: "object" })),
        early,
      ),
      "/api/openapi.json": getPublic(
        "This document.",
        answer("OpenAPI.", json({ type: "object" })),
      ),
      "/service.json": getPublic(
        "Limits of the service, for the web page.",
        answer("The limits.", json(ref("Service"))),
      ),
      "/healthz": getPublic("Health check.", answer("Healthy.", json(ref("Health")))),
      "/metrics": get(
        "Metrics for Prometheus.",
        answer("Metrics.", { content: { "text/plain": {} } }),
        refusals,
      ),
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Job: JOB,
        Jobs: closed(["jobs"], { jobs: { type: "array", items: ref("Job") } }),
        Error: ERROR,
        Character: CHARACTER,
        Options: { type: "object", properties: API_OPTIONS, additionalProperties: false },
        Service: SERVICE,
        Health: HEALTH,
      },
    },
  };
}

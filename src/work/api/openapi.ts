import { ENDINGS } from "../../io/endings.ts";
import { packageVersion } from "../package-root.ts";
import { API_OPTIONS } from "./api-options.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ "application/json": { schema } });
const answer = (description: string, content?: object) => ({
  description,
  ...(content && { content }),
});
const numbers = (description: string) => ({
  type: "array",
  items: { type: "number" },
  description,
});

const JOB = {
  type: "object",
  required: ["id", "state", "file", "created"],
  additionalProperties: false,
  properties: {
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
    isInputAtFault: { type: "boolean", description: "Whether the file is to blame." },
    vertices: { type: "integer", minimum: 0 },
    joints: { type: "integer", minimum: 0 },
    doubt: { type: "number", minimum: 0, description: "The L1 error to expect, 0 to 2." },
    seconds: { type: "number", minimum: 0 },
    expires: { type: "string", format: "date-time", description: "When it is thrown away." },
  },
};

const ERROR = {
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: { error: { type: "string", description: "One sentence." } },
};

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

const SERVICE = {
  type: "object",
  required: ["service", "needsToken", "maxUpload", "keepSeconds"],
  additionalProperties: false,
  properties: {
    service: { type: "boolean" },
    needsToken: { type: "boolean" },
    maxUpload: { type: "integer", minimum: 1, description: "Bytes of an upload." },
    keepSeconds: { type: "number", minimum: 0, description: "For which results are kept." },
  },
};

const refusals = {
  "401": answer("No token, or a wrong one.", json(ref("Error"))),
  "429": answer("Too many requests, or too many jobs under way.", json(ref("Error"))),
};
const missing = { "404": answer("There is no such job.", json(ref("Error"))), ...refusals };
const early = { "409": answer("It is not done.", json(ref("Error"))), ...missing };

/** The service's description, OpenAPI 3.1. */
export function openApi(): object {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const name = {
    ...{ name: "name", in: "query", schema: { type: "string" }, required: true },
    description: `The name of the file, which says what it is: ${ENDINGS.join(", ")}.`,
  };
  const query = Object.entries(API_OPTIONS).map(([option, { description, ...schema }]) => ({
    ...{ name: option, in: "query", description, schema },
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
            "400": answer("The request cannot be worked with.", json(ref("Error"))),
            "408": answer("The upload took too long."),
            "413": answer("The upload is too large.", json(ref("Error"))),
            "503": answer("The service has too many jobs, or no room.", json(ref("Error"))),
            ...refusals,
          },
        },
      },
      "/api/jobs/{id}": {
        parameters: [id],
        get: {
          summary: "How a job stands.",
          responses: { "200": answer("The job.", json(ref("Job"))), ...missing },
        },
        delete: {
          summary: "Ends a job and throws its result away.",
          responses: { "204": answer("It is gone."), ...missing },
        },
      },
      "/api/jobs/{id}/events": {
        parameters: [id],
        get: {
          summary:
            "The job whenever it changes or gets on, as server-sent events, until it has ended.",
          responses: { "200": answer("Events.", { "text/event-stream": {} }), ...missing },
        },
      },
      "/api/jobs/{id}/result": {
        parameters: [id],
        get: {
          summary: "The file with its weights, a GLB or VRM.",
          responses: { "200": answer("The file.", { "model/gltf-binary": {} }), ...early },
        },
      },
      "/api/jobs/{id}/report": {
        parameters: [id],
        get: {
          summary: "What happened; see docs/report.schema.json.",
          responses: { "200": answer("The report.", json({ type: "object" })), ...early },
        },
      },
      "/api/openapi.json": {
        get: {
          summary: "This description.",
          security: [],
          responses: { "200": answer("OpenAPI.", json({ type: "object" })) },
        },
      },
      "/service.json": {
        get: {
          summary: "That there is a service, for the page beside it; without one it says so.",
          security: [],
          responses: { "200": answer("There is.", json(ref("Service"))) },
        },
      },
      "/healthz": {
        get: {
          summary: "Whether the service runs.",
          security: [],
          responses: { "200": answer("It does.", json(ref("Health"))) },
        },
      },
      "/metrics": {
        get: {
          summary: "Counts for Prometheus.",
          responses: { "200": answer("Metrics.", { "text/plain": {} }), ...refusals },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Job: JOB,
        Error: ERROR,
        Character: CHARACTER,
        Options: { type: "object", properties: API_OPTIONS, additionalProperties: false },
        Service: SERVICE,
        Health: {
          ...{ type: "object", required: ["status"], additionalProperties: false },
          properties: { status: { type: "string", enum: ["ok"] } },
        },
      },
    },
  };
}

import { BATCH_VERBS, type BatchVerb } from "../../batch/row.ts";
import { packageVersion } from "../../files/package-root.ts";
import { ENDINGS } from "../../formats/endings.ts";
import { API_OPTIONS } from "./options.ts";
import { RESULT_FORMATS } from "./receive-job.ts";

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
  verb: { type: "string", enum: BATCH_VERBS },
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
        ends: numbers(
          "x, y, z of the end of each leaf joint's bone; a joint without one has its own position",
        ),
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

const FILE = closed(["id", "file", "bytes", "created"], {
  id: { type: "string", description: "Jobs refer to the file as file:<id>." },
  file: { type: "string", description: "Name of the file." },
  bytes: { type: "integer", minimum: 0 },
  created: { type: "string", format: "date-time" },
  expires: { type: "string", format: "date-time", description: "Time of deletion." },
});

const HEALTH = closed(["status"], { status: { type: "string", enum: ["ok"] } });

const refusals = {
  "401": refusal("The token is missing or invalid."),
  "403": refusal("The request comes from a page of another site."),
  "429": refusal("Too many requests, or too many unfinished jobs."),
};
const missing = { "404": refusal("There is no such job."), ...refusals };
const early = { "409": refusal("The job is not done."), ...missing };

const get = (operationId: string, summary: string, found: object, others: object) => ({
  get: { operationId, summary, responses: { "200": found, ...others } },
});
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const getOfJob = (...endpoint: Parameters<typeof get>) => ({
  parameters: [id],
  ...get(...endpoint),
});
/** An endpoint that needs no token. */
const getPublic = (operationId: string, summary: string, found: object) => ({
  get: { operationId, summary, security: [], responses: { "200": found } },
});
const deleteOf = (operationId: string, summary: string) => ({
  delete: {
    operationId,
    summary,
    responses: { "204": answer("It is deleted."), ...missing },
  },
});

const BINARY = { schema: { type: "string", format: "binary" } };
/** Refusals of a request with a body. */
const uploadRefusals = {
  "400": refusal("The request is invalid."),
  "408": answer("The upload took too long."),
  "413": refusal("The upload is too large."),
  "415": refusal("The type of the body is not supported."),
  "503": refusal("The service has too many jobs, or no space."),
  ...refusals,
};

const queryOf = (name: string, description: string, schema: object, required = false) => ({
  name,
  in: "query",
  required,
  description,
  schema,
});

/** An endpoint that receives a character and starts a job. */
function postOf(verb: BatchVerb, operationId: string, summary: string): object {
  const options = Object.entries(API_OPTIONS[verb]).map(([option, { description, ...schema }]) => ({
    ...queryOf(option, description, schema),
    ...(schema.type === "array" && { style: "form", explode: false }),
  }));
  const from = queryOf(
    "from",
    "The skinned character, or the weights alone: file:<id> of an uploaded file.",
    { type: "string" },
    true,
  );
  const name = `Name of the file, with one of the endings ${ENDINGS.join(", ")}; required for the bytes of a file, optional for JSON.`;
  const format =
    "Format of the result: that of the input, or a named one; by default .vrm for a .vrm, .glb for others.";
  return {
    post: {
      operationId,
      summary,
      parameters: [
        queryOf("name", name, { type: "string" }),
        queryOf("format", format, { type: "string", enum: RESULT_FORMATS }),
        ...(verb === "transfer" ? [from] : []),
        ...options,
      ],
      requestBody: {
        required: true,
        content: { "application/octet-stream": BINARY, ...json(ref("Character")).content },
      },
      responses: { "202": answer("The job.", json(ref("Job"))), ...uploadRefusals },
    },
  };
}

/** Returns the OpenAPI 3.1 description of the service. */
export function openApi(): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "HeterSkin",
      version: packageVersion(),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "This service." }],
    security: [{ token: [] }],
    paths: {
      "/api/jobs": {
        ...get(
          "listJobs",
          "Your jobs, oldest first.",
          answer("The jobs.", json(ref("Jobs"))),
          refusals,
        ),
        ...postOf(
          "bind",
          "bind",
          "Bind a character: the bytes of its file, or a mesh and a skeleton as JSON.",
        ),
      },
      "/api/refine": postOf("refine", "refine", "Clean the weights of a character."),
      "/api/transfer": postOf(
        "transfer",
        "transfer",
        "Transfer weights from an uploaded character to the mesh of the body.",
      ),
      "/api/fix": postOf("fix", "fix", "Check weights in poses, and apply the remedies that help."),
      "/api/files": {
        ...get(
          "listFiles",
          "Your uploaded files.",
          answer("The files.", json(ref("Files"))),
          refusals,
        ),
        post: {
          operationId: "uploadFile",
          summary:
            "Upload a file that jobs refer to: a skeleton, an example, the source of a transfer.",
          parameters: [queryOf("name", "Name of the file.", { type: "string" }, true)],
          requestBody: { required: true, content: { "application/octet-stream": BINARY } },
          responses: { "201": answer("The file.", json(ref("File"))), ...uploadRefusals },
        },
      },
      "/api/files/{id}": {
        ...getOfJob(
          "getFile",
          "An uploaded file.",
          answer("The file.", json(ref("File"))),
          missing,
        ),
        ...deleteOf("deleteFile", "Delete an uploaded file."),
      },
      "/api/jobs/{id}": {
        ...getOfJob("getJob", "State of a job.", answer("The job.", json(ref("Job"))), missing),
        ...deleteOf("deleteJob", "Cancel a job and delete its files."),
      },
      "/api/jobs/{id}/events": getOfJob(
        "watchJob",
        "The job on every change, as server-sent events, until it ends.",
        answer("Events.", { content: { "text/event-stream": { schema: { type: "string" } } } }),
        missing,
      ),
      "/api/jobs/{id}/result": getOfJob(
        "getResult",
        "The file with its weights.",
        answer("The file; its type depends on the format.", {
          content: {
            "model/gltf-binary": BINARY,
            "application/octet-stream": BINARY,
            "model/vnd.collada+xml": BINARY,
            "model/vnd.usdz+zip": BINARY,
            "application/xml": BINARY,
            "text/csv": BINARY,
            "application/json": { schema: { type: "object" } },
          },
        }),
        early,
      ),
      "/api/jobs/{id}/report": getOfJob(
        "getReport",
        "The report of a bind, see docs/report.schema.json; of another verb, its counts and notes.",
        answer("The report.", json(ref("Report"))),
        early,
      ),
      "/api/openapi.json": getPublic(
        "getOpenApi",
        "This document.",
        answer("OpenAPI.", json({ type: "object" })),
      ),
      "/service.json": getPublic(
        "getService",
        "Limits of the service, for the web page.",
        answer("The limits.", json(ref("Service"))),
      ),
      "/healthz": getPublic("getHealth", "Health check.", answer("Healthy.", json(ref("Health")))),
      "/metrics": get(
        "getMetrics",
        "Metrics for Prometheus; needs the token as well.",
        answer("Metrics.", { content: { "text/plain": { schema: { type: "string" } } } }),
        refusals,
      ),
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Job: JOB,
        Jobs: closed(["jobs"], { jobs: { type: "array", items: ref("Job") } }),
        File: FILE,
        Files: closed(["files"], { files: { type: "array", items: ref("File") } }),
        Report: { type: "object", additionalProperties: true },
        Error: ERROR,
        Character: CHARACTER,
        Options: { type: "object", properties: API_OPTIONS.bind, additionalProperties: false },
        Service: SERVICE,
        Health: HEALTH,
      },
    },
  };
}

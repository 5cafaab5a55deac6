// node --import ./test/deny-packages.mjs <program>: as if the packages named in DENIED were not installed.

import { register } from "node:module";

const hook = `
  const denied = ${JSON.stringify((process.env.DENIED ?? "").split(","))};
  export async function resolve(name, context, next) {
    if (denied.some((entry) => name === entry || name.startsWith(entry + "/"))) {
      throw Object.assign(new Error("Cannot find package " + name), { code: "ERR_MODULE_NOT_FOUND" });
    }
    return next(name, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

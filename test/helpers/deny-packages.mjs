// node --import ./test/helpers/deny-packages.mjs <program>: simulates that the packages named in DENIED are not
// installed, or cannot be loaded for the reason in DENIED_CODE.

import { register } from "node:module";

const hook = `
  const denied = ${JSON.stringify((process.env.DENIED ?? "").split(","))};
  const code = ${JSON.stringify(process.env.DENIED_CODE ?? "ERR_MODULE_NOT_FOUND")};
  export async function resolve(name, context, next) {
    if (denied.some((entry) => name === entry || name.startsWith(entry + "/"))) {
      throw Object.assign(new Error("Cannot find package " + name), { code });
    }
    return next(name, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

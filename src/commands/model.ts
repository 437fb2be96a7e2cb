import { group } from "./command.ts";

export default group({
  name: "model",
  description: "List, fetch, import, check and remove models",
  commands: {
    get: () => import("./model/get.ts"),
    import: () => import("./model/import.ts"),
    list: () => import("./model/list.ts"),
    remove: () => import("./model/remove.ts"),
    verify: () => import("./model/verify.ts"),
  },
});

import { group } from "./command.ts";

export default group({
  name: "inbox",
  description: "What was proposed for your notes, by agents and by you: look, accept, reject",
  commands: {
    add: () => import("./inbox/add.ts"),
    list: () => import("./inbox/list.ts"),
    show: () => import("./inbox/show.ts"),
    accept: () => import("./inbox/accept.ts"),
    reject: () => import("./inbox/reject.ts"),
  },
});

import { group } from "./command.ts";

export default group({
  name: "eval",
  description: "Find out how well search works on your own notes, and whether a change made it better",
  commands: {
    compare: () => import("./eval/compare.ts"),
    make: () => import("./eval/make.ts"),
    run: () => import("./eval/run.ts"),
  },
});

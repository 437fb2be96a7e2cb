import run from "./bench/run.ts";
import { group } from "./command.ts";

export default group({
  name: "bench",
  description: "Measure search on test collections: gestalt bench scifact --system lexical,hybrid",
  commands: {
    compare: () => import("./bench/compare.ts"),
    score: () => import("./bench/score.ts"),
    speed: () => import("./bench/speed.ts"),
  },
  otherwise: run,
});

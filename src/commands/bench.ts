import run from "./bench/run.ts";
import { group } from "./command.ts";

export default group({
  name: "bench",
  description: "Measure search on test collections: gestalt bench scifact --system lexical,hybrid",
  commands: {
    agents: () => import("./bench/agents.ts"),
    calibrate: () => import("./bench/calibrate.ts"),
    compare: () => import("./bench/compare.ts"),
    embed: () => import("./bench/embed.ts"),
    nearest: () => import("./bench/nearest.ts"),
    open: () => import("./bench/open.ts"),
    released: () => import("./bench/released.ts"),
    score: () => import("./bench/score.ts"),
    seal: () => import("./bench/seal.ts"),
    silence: () => import("./bench/silence.ts"),
    speed: () => import("./bench/speed.ts"),
    tune: () => import("./bench/tune.ts"),
    verify: () => import("./bench/verify.ts"),
    zoo: () => import("./bench/zoo.ts"),
  },
  otherwise: run,
});

import { CryptoHasher } from "bun";
import { markdownParser } from "../notes/folder.ts";

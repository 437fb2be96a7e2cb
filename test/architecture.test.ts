import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import ts from "typescript";

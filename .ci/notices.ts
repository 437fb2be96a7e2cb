// Writes THIRD-PARTY-NOTICES.md from what the executable is made of: bun .ci/notices.ts
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entrypoints } from "../build.ts";

const root = join(import.meta.dir, "..");

/** Packages whose code goes into the executable, by name. Native libraries are embedded besides, by build.ts. */
export async function bundledPackages(): Promise<readonly string[]> {
  const { metafile } = await Bun.build({ entrypoints: [...entrypoints()], target: "bun", metafile: true });
  const paths = Object.keys(metafile?.inputs ?? {}).map((path) => path.replaceAll("\\", "/"));
  const names = paths.map((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set([...names.filter((name) => name !== undefined), "sqlite-vec", "onnxruntime-node"])].sort();
}

/** What is not a package with a licence file of its own. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
const copyrights: Readonly<Record<string, string>> = {
  "sqlite-vec": "MIT License\n\nCopyright (c) 2024 Alex Garcia",
  "onnxruntime-node": "MIT License\n\nCopyright (c) Microsoft Corporation",
  "onnxruntime-common": "MIT License\n\nCopyright (c) Microsoft Corporation",
};

function licenceOf(name: string): string {
  const folder = join(root, "node_modules", name);
  const file = existsSync(folder) ? readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file)) : undefined;
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const copyright = copyrights[name];
  if (copyright === undefined) throw new Error(`${name} brings no licence file: name its copyright in .ci/notices.ts`);
  return `${copyright}\n\n${mit}`;
}

async function write(): Promise<void> {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const sections = (await bundledPackages()).map((name) => {
    const { version, license } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    return `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${licenceOf(name)}\n\`\`\`\n`;
  });
  const text = `# Third-party notices

gestalt is licensed under the Apache License 2.0 (see LICENSE). Its executable holds the software below, under its own terms.
This file is written by \`bun .ci/notices.ts\`.

## Bun ${devDependencies.bun}

The executable is Bun with gestalt's code inside. Bun is MIT-licensed, copyright Oven and contributors. It links
JavaScriptCore (LGPL 2), and BoringSSL, SQLite (public domain), libarchive, lol-html, mimalloc, zlib, zstd, c-ares and others,
whose licences and sources are listed at https://bun.com/docs/project/licensing.

## ONNX Runtime's own parts

The native library of onnxruntime-node holds further software, listed in ThirdPartyNotices.txt of
https://github.com/microsoft/onnxruntime at the tag of the version below. On Windows the executable also holds
DirectML.dll, dxcompiler.dll and dxil.dll as Microsoft ships them with it.

${sections.join("\n")}`;
  writeFileSync(join(root, "THIRD-PARTY-NOTICES.md"), text);
}

if (import.meta.main) await write();

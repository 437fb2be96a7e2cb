/** Files that are embedded with `{ type: "file" }`: the import is a path. */
declare module "*.onnx" {
  const path: string;
  export default path;
}
declare module "*.bin" {
  const path: string;
  export default path;
}

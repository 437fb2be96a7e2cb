import { type CommandNode, forEachChild, type PipelineNode, type Statement, type SyntaxNode } from "unbash";

/** Whether a function's body is a pipeline that calls the function at both ends. */
export function pipesInto(name: string, body: SyntaxNode): boolean {
  let found = false;
  const calls = (node: CommandNode): boolean => node.type === "Command" && node.name?.value === name;
  const look = (node: SyntaxNode | Statement | PipelineNode): void => {
    if (node.type === "Pipeline" && node.commands.filter(calls).length > 1) found = true;
    if (node.type === "Statement" && node.background === true && node.command.type === "Command" && calls(node.command))
      found = true;
    forEachChild(node, look);
  };
  look(body);
  return found;
}

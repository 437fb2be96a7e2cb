/** Waits, and keeps no process alive that has nothing else to do. */
export const rest = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref());

/** When somebody last wanted something, and last asked something: milliseconds ago. */
export function openClock() {
  let wanted = performance.now();
  let asked = 0;
  const want = (): void => {
    wanted = performance.now();
  };
  return {
    want,
    ask(): void {
      want();
      asked = wanted;
    },
    unwanted: () => performance.now() - wanted,
    unasked: () => performance.now() - asked,
  };
}

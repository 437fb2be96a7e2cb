/** Turns the top reranker score into a probability. Both finite; learnt on judged questions, and good only for that reranker and vault. */
export type Calibration = { readonly scale: number; readonly offset: number };

/**
 * How sure the reranker is of its first row: 1 / (1 + e^−(scale·top + offset)), in [0, 1], or the raw score without a
 * calibration.
 *
 * @see Platt, Advances in Large Margin Classifiers, 1999
 */
export const confidence = (top: number, calibration: Calibration | undefined): number =>
  calibration === undefined ? top : 1 / (1 + Math.exp(-(calibration.scale * top + calibration.offset)));

/** Whether to say that nothing was found. Reaching the minimum is enough to answer; a confidence that is no number is not. */
export const abstains = (sure: number, minimum: number): boolean => !(sure >= minimum);

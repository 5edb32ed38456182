import picocolors from "picocolors";

/** Colour only where a terminal shows it; picocolors honours NO_COLOR and FORCE_COLOR. */
export const colors = picocolors.createColors(
  process.env["FORCE_COLOR"] !== undefined || (process.stdout.isTTY && picocolors.isColorSupported),
);

/** Times are minutes from the beginning of the incident, or of the benign fortnight. What comes before is negative. */
export const second = 1 / 60;
export const hour = 60;
export const day = 24 * hour;

/** Three days before, so that windows of a day have a past. */
export const start = -3 * day;
export const end = 14 * day;

/** Index of a minute in what is simulated. */
export const indexOf = (minute: number): number => minute - start;
export const minutes = end - start;

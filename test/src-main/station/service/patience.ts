/** How long a test waits for what must come: machines are busy, and a wait that is over early costs nothing. */
export const PATIENT = { timeout: 10_000, interval: 10 }

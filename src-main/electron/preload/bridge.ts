/** The words that the main process and the preload must agree on. Values, so they live on the preload's side. */

/** Asks: the name of a call and its input; answered with a Result. */
export const CALL_CHANNEL = 'fundus-courier:call'
/** Tells: one event of the contract. */
export const EVENT_CHANNEL = 'fundus-courier:event'
/** Tells: where on the screens a person wants to be, a `Place`. */
export const PLACE_CHANNEL = 'fundus-courier:place'
/** Where bytes are served, followed by a kind and an id. */
export const BYTES_ADDRESS = 'app://station/bytes/'
